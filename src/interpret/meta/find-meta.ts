// Where did the model put its meta arguments? At the root, or inside an envelope that it set around the arguments.
import type { MetaArgument } from '../../contract/tool-contract.ts';
import { pointerTo, splitPointer } from '../../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { objectOf } from '../../json/own-key.ts';
import type { NumberTexts } from '../../json/reader/number-texts.ts';
import { openEnvelope } from '../../repair/repair-arguments.ts';
import type { RepairRecord } from '../../repair/repair-record.ts';
import type { RepairRequest } from '../../repair/repair-request.ts';
import type { Judge } from '../../validate/judge.ts';
import { isOwnKey, metaKeysIn } from './meta-keys.ts';

/** Arguments as they were decoded. */
export interface DecodedValue extends RepairRequest {
  readonly value: JsonObject;
  readonly isApproximate: boolean;
}

/** One key that a model sent for a meta argument. */
export interface SentMeta {
  readonly argument: MetaArgument;
  readonly key: string;
  /** JSON Pointer in what was sent. */
  readonly path: string;
  readonly value: JsonValue;
  /** The object that it was sent in. */
  readonly within: JsonObject;
}

/** Arguments, and what was taken out of them. */
export interface FoundMeta {
  readonly found: readonly SentMeta[];
  /** What is left. */
  readonly value: JsonObject;
  /** The same as it was sent, in its envelope. */
  readonly sent: JsonObject;
  /** JSON Pointer, in what was sent, of the object that the value is. */
  readonly at: string;
  readonly records: readonly RepairRecord[];
  /** Canonical keys in what looks like an envelope, but is data as the tool's schema has it: where they are meant is not certain. */
  readonly misplaced: readonly SentMeta[];
}

/** An envelope in an envelope: no more than these are opened. */
const mostEnvelopes = 4;

/** Envelopes are opened only where the judge refuses what is there, as in repair, and only for meta arguments in them. */
export function findMeta(judge: Judge, decoded: DecodedValue): FoundMeta {
  const taken = takeFrom(judge, decoded.value, { numbers: decoded.numbers, path: '' });
  const outer = { ...taken, sent: taken.value, at: '', misplaced: [] };
  let inner: FoundMeta = outer;
  for (let opened = 0; opened < mostEnvelopes; opened += 1) {
    const below = takeFromEnvelope(judge, decoded, inner);
    if (below === undefined) break;
    if (below.misplaced.length > 0) return { ...outer, misplaced: below.misplaced };
    inner = below;
  }
  return inner.found.length === outer.found.length ? outer : inner;
}

/** undefined where there is none to open. */
function takeFromEnvelope(judge: Judge, decoded: DecodedValue, outer: FoundMeta): FoundMeta | undefined {
  const { value } = outer;
  const { numbers, size, destination, readAt } = decoded;
  const opened = openEnvelope(judge, { value, numbers, size, destination, readAt });
  // How its numbers were spelled must be known before anything is done to a value.
  if (opened === undefined || (opened.isNeeded && decoded.isApproximate)) return undefined;
  if (isOwnKey(judge, splitPointer(opened.place).key)) return undefined;
  const at = outer.at + opened.place;
  const { found, records, value: left } = takeFrom(judge, opened.value, { numbers, path: at });
  if (!opened.isNeeded) {
    const misplaced = found.filter((one) => one.key === one.argument.key);
    return misplaced.length === 0 ? undefined : { ...outer, misplaced };
  }
  return {
    found: [...outer.found, ...found],
    value: left,
    sent: outer.sent,
    at,
    records: [...outer.records, ...opened.records, ...records],
    misplaced: [],
  };
}

/** The meta keys of one object, and a copy without them; the same object if there are none. */
function takeFrom(
  judge: Judge,
  value: JsonObject,
  { numbers, path }: { readonly numbers: NumberTexts; readonly path: string },
): Pick<FoundMeta, 'found' | 'value' | 'records'> {
  const found = judge.contract.meta.flatMap((argument) =>
    metaKeysIn(judge, argument, value).map((key): SentMeta => ({
      argument,
      key,
      path: pointerTo(path, key),
      value: value[key] ?? null,
      within: value,
    })),
  );
  if (found.length === 0) return { found, value, records: [] };
  const gone = new Set(found.map(({ key }) => key));
  const rest = objectOf(Object.entries(value).filter(([key]) => !gone.has(key)));
  numbers.carried(value, rest);
  // A canonical key at the root is where it belongs.
  const moved = found.filter(({ argument, key }) => path !== '' || key !== argument.key);
  return { found, value: rest, records: moved.map(recordOf) };
}

const recordOf = ({ argument, key }: SentMeta): RepairRecord => ({
  rule: 'meta_key',
  path: pointerTo('', key),
  was: argument.key,
  tell: false,
  operations: [{ op: 'remove', path: pointerTo('', key) }],
});
