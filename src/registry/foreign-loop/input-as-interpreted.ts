// With which arguments does another program's loop go on? With those that would run: they are what people approve, and stand in its history.
import { isJsonObject, type JsonObject } from '../../json/json-value.ts';
import { objectOf, ownValue } from '../../json/own-key.ts';
import { parseJson } from '../../json/reader/parse-json.ts';
import type { InterpretedCall } from '../interpret-call.ts';
import type { ToolSet } from '../tool-set.ts';

const deepest = 256;

/**
 * Of an accepted call its arguments as interpreted and its meta arguments, so that nothing is lost where the call comes back
 * from a person. Of any other call what was sent, as an object that providers take in a history.
 */
export function inputAsInterpreted(tools: ToolSet, interpreted: InterpretedCall): JsonObject {
  if (interpreted.outcome !== 'accepted') return objectIn(tools.history(interpreted).arguments);
  const { contract, interpretation } = interpreted;
  const meta = contract.meta.flatMap(({ key, name }) => {
    const value = ownValue(interpretation.meta, name);
    return value === undefined ? [] : [[key, value] as const];
  });
  return meta.length === 0
    ? interpretation.value
    : objectOf([...Object.entries(interpretation.value), ...meta]);
}

function objectIn(text: string): JsonObject {
  const reading = parseJson(text, deepest, 'approximate');
  return reading.kind === 'read' && isJsonObject(reading.value) ? reading.value : {};
}
