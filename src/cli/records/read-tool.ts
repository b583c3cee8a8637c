// How is a tool described in a record? As the model saw it: by its JSON Schema, in the words of the API that was used.
import type { Effects } from '../../contract/tool-contract.ts';
import type { SchemaObject } from '../../json/json-schema.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { ownValue } from '../../json/own-key.ts';
import type { RecordedTool } from './recorded-call.ts';

const schemaKeys = ['schema', 'inputSchema', 'input_schema', 'parameters'];

/** The one tool of a record: beside the arguments, or under `tool`. undefined if it has none. */
export function readTool(record: JsonObject): RecordedTool | undefined {
  const tool = ownValue(record, 'tool');
  const described = isJsonObject(tool) ? toolOf(tool) : undefined;
  if (described !== undefined) return described;
  const beside = toolOf(record);
  return beside === undefined || typeof tool !== 'string' ? beside : { ...beside, name: tool };
}

/** The tools that a request offered, by name. A function without parameters takes none. */
export function readTools(record: JsonObject): ReadonlyMap<string, RecordedTool> {
  const offered = [record, ...['request', 'body'].map((key) => ownValue(record, key))]
    .filter((node) => isJsonObject(node))
    .map((node) => ownValue(node, 'tools'))
    .find((tools) => isJsonArray(tools));
  const tools = (offered ?? []).filter((tool) => isJsonObject(tool)).map(toolOrNoArguments);
  return new Map(tools.flatMap((tool) => (tool.name === undefined ? [] : [[tool.name, tool] as const])));
}

function toolOf(node: JsonObject): RecordedTool | undefined {
  const inner = ownValue(node, 'function');
  const described = isJsonObject(inner) ? inner : node;
  const schema = schemaKeys.map((key) => ownValue(described, key)).find((value) => isSchema(value));
  return schema === undefined ? undefined : { name: nameOf(described), schema, effects: effectsOf(node) };
}

function toolOrNoArguments(node: JsonObject): RecordedTool {
  const inner = ownValue(node, 'function');
  const name = nameOf(isJsonObject(inner) ? inner : node);
  return toolOf(node) ?? { name, schema: { type: 'object', properties: {} }, effects: undefined };
}

function nameOf(node: JsonObject): string | undefined {
  const name = ownValue(node, 'name');
  return typeof name === 'string' ? name : undefined;
}

/** MCP's annotations: https://modelcontextprotocol.io/specification/2025-06-18/schema#toolannotations */
function effectsOf(node: JsonObject): Effects | undefined {
  const annotations = ownValue(node, 'annotations');
  if (!isJsonObject(annotations)) return undefined;
  if (ownValue(annotations, 'destructiveHint') === true) return 'destructive';
  return ownValue(annotations, 'readOnlyHint') === true ? 'read' : undefined;
}

// A JSON object is a schema as far as types go; what is no schema is found when it is compiled.
const isSchema = (value: JsonValue | undefined): value is JsonObject & SchemaObject => isJsonObject(value);
