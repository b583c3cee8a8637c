// How does a value of the contract look in the form that a provider was shown? For the history of a conversation.
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts';
import { objectOf } from '../../json/own-key.ts';
import { exactJson } from '../../json/reader/exact-json.ts';
import type { NumberTexts } from '../../json/reader/number-texts.ts';
import { type FitFrame, fits } from './fits.ts';
import { type NodePlan, type Plan, planOfElement } from './plan.ts';

/** Where the contract's own schema and the one that is shown have their parts. */
export interface EncodeFrames {
  readonly own: FitFrame;
  readonly shown: FitFrame;
}

export interface EncodeFrame extends EncodeFrames {
  /** How numbers were spelled; what is made here is added. */
  readonly numbers: NumberTexts;
}

/** A value, and how it was spelled if it is a number. */
interface Held {
  readonly value: JsonValue;
  readonly numberText: string | undefined;
}

/** Arguments of the contract as the model should have written them. */
export function encodeValue(plan: Plan, held: Held, frame: EncodeFrame): JsonValue {
  const { value, numberText } = held;
  switch (plan.kind) {
    case 'same':
      return value;
    case 'link':
      return encodeValue(plan.to(), held, frame);
    case 'json-text': {
      const below = encodeValue(plan.below, held, frame);
      return typeof below === 'number' && numberText !== undefined
        ? numberText
        : exactJson(below, frame.numbers, 0);
    }
    case 'record':
      return isJsonObject(value) ? encodePairs(plan.value, value, frame) : value;
    case 'union':
      return encodeBranch(plan, held, frame);
    case 'node':
      break;
  }
  if (isJsonArray(value)) return encodeList(plan, value, frame);
  return isJsonObject(value) ? encodeObject(plan, value, frame) : value;
}

function encodeBranch(
  { branches }: Plan & { readonly kind: 'union' },
  held: Held,
  frame: EncodeFrame,
): JsonValue {
  const able = branches.filter(({ own }) => fits(own, held.value, frame.own));
  const [first] = able;
  if (first === undefined) return held.value;
  // A branch that takes any key may be another one's value too, and is not shown so.
  const encoded = able.map((branch) => ({ branch, sent: encodeValue(branch.plan, held, frame) }));
  const fitting = encoded.find(({ branch, sent }) => fits(branch.shown, sent, frame.shown));
  return (fitting ?? encoded[0])?.sent ?? held.value;
}

function encodePairs(plan: Plan, value: JsonObject, frame: EncodeFrame): JsonArray {
  return Object.entries(value).map(([key, member]) => {
    const numberText = frame.numbers.textAt(value, key);
    const sent = encodeValue(plan, { value: member, numberText }, frame);
    const pair = { key, value: sent };
    if (numberText !== undefined && sent === member) frame.numbers.spell(pair, 'value', numberText);
    return pair;
  });
}

function encodeList(plan: NodePlan, value: JsonArray, frame: EncodeFrame): JsonArray {
  const sent = value.map((element, index) => {
    const numberText = frame.numbers.textAt(value, String(index));
    return encodeValue(planOfElement(plan, index), { value: element, numberText }, frame);
  });
  frame.numbers.carry(value, sent, (key) => (sent[Number(key)] === value[Number(key)] ? key : undefined));
  return sent;
}

function encodeObject(plan: NodePlan, value: JsonObject, frame: EncodeFrame): JsonObject {
  const absent = [...plan.members].filter(
    ([own, member]) => member.absent !== 'absent' && !Object.hasOwn(value, own),
  );
  const shownKey = (key: string): string => plan.members.get(key)?.shown ?? key;
  const sent = objectOf([
    ...Object.entries(value).map(([key, held]): readonly [string, JsonValue] => {
      const numberText = frame.numbers.textAt(value, key);
      const below = plan.members.get(key)?.plan ?? plan.others;
      return [shownKey(key), encodeValue(below, { value: held, numberText }, frame)];
    }),
    ...absent.map(([, { shown }]) => [shown, null] as const),
  ]);
  frame.numbers.carry(value, sent, (key) => (sent[shownKey(key)] === value[key] ? shownKey(key) : undefined));
  return sent;
}
