import type { ToolDefinition } from "@langchain/core/language_models/base";
import type { BindToolsInput, ToolChoice } from "@langchain/core/language_models/chat_models";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { InvalidParameterError } from "../errors.js";

/** A tool in which the answer fits: its name, and the argument that takes the ID. */
export interface IntegerTool {
  name: string;
  argument: string;
}

/** Tools in OpenAI's format. @throws InvalidParameterError when no tool takes an integer. */
export function toOpenAITools(tools: readonly BindToolsInput[]): ToolDefinition[] {
  const converted = tools.map((tool) => convertToOpenAITool(tool));
  if (!converted.some((tool) => integerTool(tool) !== undefined)) {
    throw new InvalidParameterError("tools", "tools of which one takes an integer", converted);
  }
  return converted;
}

/**
 * The tool to call: the chosen one, or the first that takes an integer; none for `"none"`.
 *
 * @throws InvalidParameterError when the chosen tool is not bound or takes no integer.
 */
export function chosenTool(
  tools: readonly unknown[] | undefined,
  choice: ToolChoice | undefined,
): IntegerTool | undefined {
  if (tools === undefined || choice === "none") return undefined;
  const usable = tools.map(integerTool).filter((tool) => tool !== undefined);
  const name = chosenName(choice);
  if (name === undefined) return usable[0];
  const chosen = usable.find((tool) => tool.name === name);
  if (chosen === undefined) {
    throw new InvalidParameterError("tool_choice", "a bound tool that takes an integer", choice);
  }
  return chosen;
}

function chosenName(choice: ToolChoice | undefined): string | undefined {
  if (typeof choice === "object") return nameOf(choice.function) ?? nameOf(choice);
  const isName = choice !== undefined && !["auto", "any", "required"].includes(choice);
  return isName ? choice : undefined;
}

function integerTool(tool: unknown): IntegerTool | undefined {
  const definition = property(tool, "function");
  const name = nameOf(definition);
  const argument = integerArgument(property(definition, "parameters"));
  return name === undefined || argument === undefined ? undefined : { name, argument };
}

/** The required argument that takes a number, or else the first that does. */
function integerArgument(schema: unknown): string | undefined {
  const properties = property(schema, "properties");
  if (typeof properties !== "object" || properties === null) return undefined;
  const numeric = Object.entries(properties).filter(([, argument]) => takesInteger(argument));
  const required = property(schema, "required");
  const names = numeric.map(([name]) => name);
  return names.find((name) => Array.isArray(required) && required.includes(name)) ?? names[0];
}

function takesInteger(schema: unknown): boolean {
  const types = [property(schema, "type")].flat();
  return types.includes("integer") || types.includes("number");
}

function nameOf(value: unknown): string | undefined {
  const name = property(value, "name");
  return typeof name === "string" ? name : undefined;
}

function property(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
