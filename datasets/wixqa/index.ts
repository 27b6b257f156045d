export { wixqa } from "./wixqa.ts";
