import type { Dataset } from "../core/dataset.ts";
import { qasper } from "./qasper/index.ts";
import { wixqa } from "./wixqa/index.ts";

/** Every data set the program knows, one line each. */
export const datasets: Dataset[] = [qasper, wixqa];
