// What did a model say in the contract's own form, when it answered in the form that its provider was shown? What doesn't
// have that form stays as it came: repair and the judge come after.
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts';
import { objectOf, ownValue } from '../../json/own-key.ts';
import { parseJson } from '../../json/reader/parse-json.ts';
import { sameValue } from '../../json/same-value.ts';
import { type FitFrame, fits } from './fits.ts';
import type { Plan } from './plan.ts';

const deepestText = 64;

/** The very same object where nothing differs. `frame`: of the schema that was shown. */
export function decodeValue(plan: Plan, value: JsonValue, frame: FitFrame): JsonValue {
  switch (plan.kind) {
    case 'same':
      return value;
    case 'link':
      return decodeValue(plan.to(), value, frame);
    case 'json-text':
      return decodeText(plan.below, value, frame);
    case 'record':
      return decodeRecord(plan.value, value, frame);
    case 'union': {
      const branch = plan.branches.find(({ shown }) => fits(shown, value, frame));
      return branch === undefined ? value : decodeValue(branch.plan, value, frame);
    }
    case 'node':
      break;
  }
  if (isJsonArray(value)) return decodeList(plan, value, frame);
  return isJsonObject(value) ? decodeObject(plan, value, frame) : value;
}

/** Text that isn't JSON was meant as text. */
function decodeText(below: Plan, value: JsonValue, frame: FitFrame): JsonValue {
  if (typeof value !== 'string') return value;
  const reading = parseJson(value, deepestText, 'approximate');
  // A number that loses digits stays the text that it came as.
  if (reading.kind !== 'read' || reading.numbers.lossy || reading.repeatedKeys.length > 0) return value;
  return decodeValue(below, reading.value, frame);
}

/** Two different values for one key have no reading. */
function decodeRecord(plan: Plan, value: JsonValue, frame: FitFrame): JsonValue {
  if (!isJsonArray(value)) return value;
  const entries = new Map<string, JsonValue>();
  for (const entry of value) {
    if (!isJsonObject(entry) || Object.keys(entry).length !== 2) return value;
    const key = ownValue(entry, 'key');
    const held = ownValue(entry, 'value');
    if (typeof key !== 'string' || held === undefined) return value;
    const own = decodeValue(plan, held, frame);
    const other = entries.get(key);
    if (other !== undefined && !sameValue(other, own)) return value;
    entries.set(key, own);
  }
  return objectOf(entries);
}

type Node = Plan & { readonly kind: 'node' };

function decodeList(plan: Node, value: JsonArray, frame: FitFrame): JsonArray {
  const decoded = value.map((element, index) =>
    decodeValue(plan.prefix[index] ?? plan.items, element, frame),
  );
  return decoded.every((element, index) => element === value[index]) ? value : decoded;
}

function decodeObject(plan: Node, value: JsonObject, frame: FitFrame): JsonObject {
  const own = new Map([...plan.members].map(([key, member]) => [member.shown, { key, member }] as const));
  let differs = false;
  const entries = Object.entries(value).flatMap(([key, held]): readonly (readonly [string, JsonValue])[] => {
    const found = own.get(key);
    if (found?.member.absent === 'null' && held === null) {
      differs = true;
      return [];
    }
    const decoded = decodeValue(found?.member.plan ?? plan.others, held, frame);
    // Under its own name the same key may be there too; then both stay, and one of them is unknown.
    const name = found === undefined || Object.hasOwn(value, found.key) ? key : found.key;
    differs ||= decoded !== held || name !== key;
    return [[name, decoded]];
  });
  return differs ? objectOf(entries) : value;
}
