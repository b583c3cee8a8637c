// How does a value of the contract look in the form that a provider was shown? For the history of a conversation.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { objectOf } from '../../json/own-key.ts';
import { type FitFrame, fits } from './fits.ts';
import type { Plan } from './plan.ts';

/** Where the contract's own schema and the one that is shown have their parts. */
export interface EncodeFrames {
  readonly own: FitFrame;
  readonly shown: FitFrame;
}

/** Arguments of the contract as the model should have written them. */
export function encodeValue(plan: Plan, value: JsonValue, frames: EncodeFrames): JsonValue {
  switch (plan.kind) {
    case 'same':
      return value;
    case 'link':
      return encodeValue(plan.to(), value, frames);
    case 'json-text':
      return JSON.stringify(encodeValue(plan.below, value, frames));
    case 'record':
      return isJsonObject(value)
        ? Object.entries(value).map(([key, member]) => ({
            key,
            value: encodeValue(plan.value, member, frames),
          }))
        : value;
    case 'union': {
      const able = plan.branches.filter(({ own }) => fits(own, value, frames.own));
      const [first] = able;
      if (first === undefined) return value;
      // A branch that takes any key may be another one's value too, and is not shown so.
      const encoded = able.map((branch) => ({ branch, sent: encodeValue(branch.plan, value, frames) }));
      const fitting = encoded.find(({ branch, sent }) => fits(branch.shown, sent, frames.shown));
      return (fitting ?? encoded[0])?.sent ?? value;
    }
    case 'node':
      break;
  }
  if (isJsonArray(value))
    return value.map((element, index) => encodeValue(plan.prefix[index] ?? plan.items, element, frames));
  return isJsonObject(value) ? encodeObject(plan, value, frames) : value;
}

function encodeObject(
  plan: Plan & { readonly kind: 'node' },
  value: JsonObject,
  frames: EncodeFrames,
): JsonObject {
  const absent = [...plan.members].filter(
    ([own, member]) => member.absent !== 'absent' && !Object.hasOwn(value, own),
  );
  return objectOf([
    ...Object.entries(value).map(([key, held]): readonly [string, JsonValue] => {
      const member = plan.members.get(key);
      return member === undefined
        ? [key, encodeValue(plan.others, held, frames)]
        : [member.shown, encodeValue(member.plan, held, frames)];
    }),
    ...absent.map(([, { shown }]) => [shown, null] as const),
  ]);
}
