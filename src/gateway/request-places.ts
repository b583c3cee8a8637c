// What a request offers and repeats, at the places of its API.
import type { JsonPath } from '../json/json-edits.ts';
import { objectAt, textAt } from '../json/members.ts';
import { type JsonObject, isJsonObject } from '../json/value.ts';
import {
  type CallPlace,
  type ToolPlace,
  callsAt,
  partsOfCall,
  valuesAt,
} from '../wire/wire-api.ts';
import type { OfferedTool, PastCall } from './protocol.ts';

export const offeredTools = (
  places: readonly ToolPlace[],
  request: JsonObject,
): readonly OfferedTool[] =>
  places.flatMap((place) =>
    valuesAt(request, place.at).flatMap(({ value, path }) =>
      isJsonObject(value) ? offeredTool(value, path, place) : [],
    ),
  );

export function offeredTool(
  tool: JsonObject,
  path: JsonPath,
  { schema: schemaKey, withoutSchema }: Omit<ToolPlace, 'at'>,
): readonly OfferedTool[] {
  const name = textAt(tool, 'name');
  if (name === undefined) return [];
  const none = withoutSchema === 'no_arguments' ? noArguments : undefined;
  const schema = objectAt(tool, schemaKey) ?? none;
  return [{ name, description: textAt(tool, 'description') ?? '', schema, path, schemaKey }];
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
