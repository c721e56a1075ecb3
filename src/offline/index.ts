export { LexicalCohesionChatModel, type LexicalCohesionCallOptions } from "./model.js";
