export { entqabench } from "./entqabench.ts";
