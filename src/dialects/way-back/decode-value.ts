// What did a model say in the contract's own form, when it answered in the form that its provider was shown? What doesn't
// have that form stays as it came: repair and the judge come after.
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts';
import { pointerTo } from '../../json/json-pointer.ts';
import { objectOf } from '../../json/own-key.ts';
import type { NumberTexts } from '../../json/reader/number-texts.ts';
import { parseJson } from '../../json/reader/parse-json.ts';
import { decodePairs, type PairsFrame } from './decode-pairs.ts';
import { type FitFrame, fits, fitsOutermost } from './fits.ts';
import { type NodePlan, type Plan, planOfElement } from './plan.ts';

const deepestText = 64;

/** What decoding must know beside the value. */
export interface DecodeFrame extends PairsFrame {
  /** Of the schema that was shown. */
  readonly shown: FitFrame;
  /** What becomes of text that holds a number of more digits than a number keeps: it stays text where code gets the value. */
  readonly longNumbers: 'text' | 'numbers';
}

/** The very same value where nothing differs. `path`: JSON Pointer in the contract's form. */
export function decodeValue(plan: Plan, value: JsonValue, frame: DecodeFrame, path: string): JsonValue {
  switch (plan.kind) {
    case 'same':
      return value;
    case 'link':
      return decodeValue(plan.to(), value, frame, path);
    case 'json-text':
      return decodeText(plan.below, value, frame, path);
    case 'record':
      return decodePairs(value, frame, path, (held, below) => decodeValue(plan.value, held, frame, below));
    case 'union': {
      const branch = branchOf(plan, value, frame);
      return branch === undefined ? value : decodeValue(branch, value, frame, path);
    }
    case 'node':
      break;
  }
  if (isJsonArray(value)) return decodeList(plan, value, frame, path);
  return isJsonObject(value) ? decodeObject(plan, value, frame, path) : value;
}

/** The branch that the value fits; where it nearly fits, the only one that has its kind. */
function branchOf(
  { branches }: Plan & { readonly kind: 'union' },
  value: JsonValue,
  { shown }: DecodeFrame,
): Plan | undefined {
  const fitting = branches.find((branch) => fits(branch.shown, value, shown));
  if (fitting !== undefined) return fitting.plan;
  const [only, ...others] = branches.filter((branch) => fitsOutermost(branch.shown, value, shown));
  return others.length === 0 ? only?.plan : undefined;
}

/** Text that isn't JSON was meant as text. */
function decodeText(below: Plan, value: JsonValue, frame: DecodeFrame, path: string): JsonValue {
  if (typeof value !== 'string') return value;
  const reading = parseJson(value, deepestText, 'exact');
  if (reading.kind !== 'read' || reading.repeatedKeys.length > 0) return value;
  if (reading.numbers.lossy && frame.longNumbers === 'text') return value;
  frame.numbers.adopt(reading.numbers, reading.value);
  return decodeValue(below, reading.value, frame, path);
}

function decodeList(plan: NodePlan, value: JsonArray, frame: DecodeFrame, path: string): JsonValue {
  const [only] = value;
  // A list of one, where one is shown: whoever takes it out finds it in the contract's form.
  const isWrapped = plan.members.size > 0 && value.length === 1 && isJsonObject(only);
  const decoded = value.map((element, index) =>
    decodeValue(isWrapped ? plan : planOfElement(plan, index), element, frame, pointerTo(path, index)),
  );
  return withSpellings(value, decoded, frame.numbers);
}

/** The same list where nothing differs. */
function withSpellings(from: JsonArray, to: JsonArray, numbers: NumberTexts): JsonArray {
  if (to.every((element, index) => element === from[index])) return from;
  numbers.carry(from, to, (key) => key);
  for (const [index, element] of to.entries()) {
    const text = spellingIn(from[index] ?? null, element);
    if (text !== undefined) numbers.spell(to, String(index), text);
  }
  return to;
}

/** A number that was read from text is spelled as the text is. */
const spellingIn = (sent: JsonValue, read: JsonValue): string | undefined =>
  typeof sent === 'string' && typeof read === 'number' && sent.trim() !== String(read)
    ? sent.trim()
    : undefined;

function decodeObject(plan: NodePlan, value: JsonObject, frame: DecodeFrame, path: string): JsonValue {
  // One element, where a list of them is shown.
  if (plan.members.size === 0 && plan.others.kind === 'same' && plan.items.kind !== 'same')
    return decodeValue(plan.items, value, frame, path);
  const moved = new Map<string, string>();
  let differs = false;
  const entries = Object.entries(value).flatMap(([sent, held]): readonly (readonly [string, JsonValue])[] => {
    const [own, member] = plan.byShown.get(sent) ?? [sent, undefined];
    if (member?.absent === 'null' && held === null) {
      differs = true;
      return [];
    }
    // Under its own name the same key may be there too; then both stay, and one of them is unknown.
    const name = Object.hasOwn(value, own) ? sent : own;
    const decoded = decodeValue(member?.plan ?? plan.others, held, frame, pointerTo(path, name));
    differs ||= decoded !== held || name !== sent;
    moved.set(sent, name);
    return [[name, decoded]];
  });
  return differs ? spelledObject(value, objectOf(entries), moved, frame.numbers) : value;
}

function spelledObject(
  from: JsonObject,
  to: JsonObject,
  moved: ReadonlyMap<string, string>,
  numbers: NumberTexts,
): JsonObject {
  numbers.carry(from, to, (key) => moved.get(key));
  for (const [sent, name] of moved) {
    const text = spellingIn(from[sent] ?? null, to[name] ?? null);
    if (text !== undefined) numbers.spell(to, name, text);
  }
  return to;
}
