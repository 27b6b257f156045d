export { financebench } from "./financebench.ts";
