import { printable, quote } from '../json/preview.ts';
import { type JsonValue, isJsonArray, isJsonObject, isSameAs } from '../json/value.ts';
import { type DecodedArguments, type DecodedReadings, argumentsOf } from '../repair/decode-arguments.ts';
import { type AcceptedReading, chooseReading } from '../repair/readings/choose-reading.ts';
import { lossyEdits } from '../repair/readings/edits.ts';
import { redact } from '../tool/secrets.ts';
import type { ContractValidator } from '../validate/validator.ts';
import { type Interpretation, reject } from './interpretation.ts';

/**
 * Interprets every reading of broken text by itself. The call is accepted only if exactly one value is left; of several, the
 * message shows two.
 */
export function interpretReadings(
  validator: ContractValidator,
  decoded: DecodedReadings,
  interpretDecoded: (decoded: DecodedArguments) => Interpretation,
): Interpretation {
  const { views, contract } = validator;
  const rejections: Interpretation[] = [];
  const accept = (
    reading: DecodedReadings['readings'][number],
  ): AcceptedReading<Interpretation> | undefined => {
    const result = interpretDecoded(argumentsOf(decoded, reading));
    const value = result.status === 'rejected' ? result.wouldBe : result.value;
    if (value !== undefined)
      return {
        value,
        records: result.repairs,
        taken: Object.keys(result.meta).map((key) => `_${key}`),
        result,
      };
    if (!reading.isWitness) rejections.push(result);
    return undefined;
  };
  const byCost = decoded.readings.toSorted((left, right) => left.cost - right.cost);
  const choice = chooseReading(byCost, { views, schema: views.root }, accept);
  if (choice.kind === 'one') {
    const { result, reading } = choice;
    const isConfirmed = contract.repair === 'all' || (reading.edits & lossyEdits) === 0;
    return isConfirmed || result.status === 'rejected'
      ? result
      : reject(validator, result.meta, [{ keyword: 'not_confirmed', path: '' }], result.value);
  }
  if (choice.kind === 'several') {
    const [one, other] = choice.values.map((value) => redact(views, value));
    const advice = `did you mean ${difference(one ?? null, other ?? null)}?`;
    return reject(validator, {}, [{ keyword: 'ambiguous', path: '', advice }]);
  }
  const [cheapest] = rejections;
  return choice.kind === 'none' && cheapest !== undefined
    ? cheapest
    : reject(validator, {}, [decoded.refuse().issue]);
}

/** The most characters of a value that are shown. */
const longestValue = 60;

/** The first place where two values differ, with both. */
function difference(one: JsonValue, other: JsonValue, key = ''): string {
  if (isJsonObject(one) && isJsonObject(other)) {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    const differing = keys.find((name) => !isSameAs(one[name], other[name]));
    if (differing !== undefined) return memberDifference(one[differing], other[differing], differing);
  }
  if (isJsonArray(one) && isJsonArray(other)) {
    const index = [...one, ...other].findIndex((_element, at) => !isSameAs(one[at], other[at]));
    if (index !== -1) return memberDifference(one[index], other[index], String(index));
  }
  return `${shown(key, one)} or ${shown(key, other)}`;
}

function memberDifference(one: JsonValue | undefined, other: JsonValue | undefined, key: string): string {
  if (one !== undefined && other !== undefined) return difference(one, other, key);
  const there = one ?? other ?? null;
  return one === undefined
    ? `no ${quote(key)} or ${shown(key, there)}`
    : `${shown(key, there)} or no ${quote(key)}`;
}

/** A member as JSON, so that a model can tell `[]` from `"[]"`. */
const shown = (key: string, value: JsonValue): string =>
  `${key === '' ? '' : `${quote(key)}: `}${printable(JSON.stringify(value), longestValue)}`;
