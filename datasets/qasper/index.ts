export { qasper } from "./qasper.ts";
