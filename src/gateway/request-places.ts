// What a request offers and repeats, at the places of its API.
import type { JsonPath } from '../json/json-edits.ts';
import { objectAt, textAt } from '../json/members.ts';
import { type JsonObject, isJsonObject } from '../json/value.ts';
import {
  type CallPlace,
  type ToolPlace,
  callsAt,
  partsOfCall,
  valueAtPath,
  valuesAt,
} from '../wire/wire-api.ts';
import { effectsOf } from '../wire/tool-effects.ts';
import type { RequestTool, PastCall } from './protocol.ts';

export const offeredTools = (
  places: readonly ToolPlace[],
  request: JsonObject,
): readonly RequestTool[] =>
  places.flatMap((place) =>
    valuesAt(request, place.at).flatMap(({ value, path }) => {
      if (!isJsonObject(value)) return [];
      const parent = valueAtPath(request, path.slice(0, -1));
      return offeredTool(value, path, place, isJsonObject(parent) ? parent : {});
    }),
  );

/** `around`: the object that the tool is a member of. It may say what the tool's effects are. */
export function offeredTool(
  tool: JsonObject,
  path: JsonPath,
  { schema: schemaKey, withoutSchema, takesStrict }: Omit<ToolPlace, 'at'>,
  parent: JsonObject = {},
): readonly RequestTool[] {
  const name = textAt(tool, 'name');
  if (name === undefined) return [];
  const none = withoutSchema === 'no_arguments' ? noArguments : undefined;
  const schema = objectAt(tool, schemaKey) ?? none;
  const description = textAt(tool, 'description') ?? '';
  const effects = effectsOf(tool) ?? effectsOf(parent);
  return [{ name, description, schema, effects, path, schemaKey, takesStrict }];
}

const noArguments: JsonObject = { type: 'object', properties: {} };

export const pastCalls = (places: readonly CallPlace[], request: JsonObject): readonly PastCall[] =>
  callsAt(places, request).map(({ call, path, form }) => {
    const parts = partsOfCall(form, call);
    const isText = form.argumentsAs === 'text';
    return {
      name: typeof parts.name === 'string' ? parts.name : '',
      arguments: parts.arguments,
      isText,
      edit: (text) => ({
        path: [...path, ...form.arguments],
        text: isText ? JSON.stringify(text) : text,
      }),
    };
  });
