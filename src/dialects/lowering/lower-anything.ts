// What stands for a schema that takes anything, where a provider wants a type? Text that holds the value's JSON.
import type { SchemaObject } from '../../json/json-schema.ts';
import { keywordWords } from '../normal-form/keyword-words.ts';
import { type Plan, same } from '../way-back/plan.ts';
import type { Lowered, Lowering, Place } from './lowering.ts';

/** `described`: what is said of the value beside that. */
export function lowerAnything(described: SchemaObject, place: Place, lowering: Lowering): Lowered {
  return lowering.rules.anything === 'kept'
    ? { schema: described, plan: same }
    : jsonText({ described, words: 'any JSON value, as JSON text', below: same }, place, lowering);
}

interface JsonText {
  readonly described: SchemaObject;
  readonly words: string;
  /** How the value in the text differs from the contract's. */
  readonly below: Plan;
}

/** Text that holds the JSON of a value. What is said of the value, as its default, is no such text: it stands in words. */
export function jsonText({ described, words, below }: JsonText, place: Place, lowering: Lowering): Lowered {
  lowering.tell({ kind: 'adapted', pointer: place.pointer, rule: 'any-value', what: 'is sent as JSON text' });
  const { description, ...others } = described;
  const said = Object.entries(others).flatMap(([keyword, held]) => keywordWords(keyword, held) ?? []);
  const text: SchemaObject = { type: 'string', ...(description === undefined ? {} : { description }) };
  const schema = lowering.describe(text, [words, ...said], place);
  return { schema, plan: { kind: 'json-text', below } };
}
