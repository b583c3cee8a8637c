// How are arguments handed on that stand in a record as a value?
import type { JsonValue } from '../../json/json-value.ts';
import { exactJson } from '../../json/reader/exact-json.ts';
import type { NumberTexts } from '../../json/reader/number-texts.ts';
import type { SentArguments } from './recorded-call.ts';

/** As they are, or as the text that they were, where numbers lost digits on the way. */
export const sentValue = (value: JsonValue, numbers: NumberTexts): SentArguments =>
  numbers.lossy && typeof value === 'object'
    ? { kind: 'text', text: exactJson(value, numbers, 0) }
    : { kind: 'value', value };
