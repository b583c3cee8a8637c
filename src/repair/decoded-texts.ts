import { type ReadValue, type RepeatedKey, readJson } from '../json/lenient-parser.ts';
import type { NumberLiterals } from '../json/number-literals.ts';
import { parseJson } from '../json/parse.ts';
import { type JsonValue, isContainer } from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { SchemaViews } from '../schema/schema-view.ts';
import { recordRepeatedKeys } from './edits.ts';
import { chooseReading } from './readings/choose-reading.ts';
import { lossyEdits, movingEdits } from './readings/edits.ts';
import { type TextReading, readBrokenText, readingOf } from './readings/read-broken-text.ts';
import type { RepairRecord } from './repair-rule.ts';

/** Nesting of containers, the outermost counted. */
const maxDepth = 64;
/** Texts decoded on one path. */
const maxDecodings = 3;
/** Characters decoded in all, as a multiple of the size of what was sent. */
const decodedRatio = 2;

/** The call that texts are read in. */
interface ReadingCall {
  /** Gets the literals of decoded texts. */
  readonly numbers: NumberLiterals;
  readonly views: SchemaViews;
  /** Maps a value that was found at a path to the contract's own schema. */
  restored(value: JsonValue, path: string): JsonValue;
}

/** A place where text is found. */
interface TextPlace {
  /** JSON Pointer. */
  readonly path: string;
  readonly schema: JsonSchema;
  /** Texts decoded on the way here. */
  readonly decodings: number;
}

/** The repair of a reading at the place of its text; undefined if it doesn't fit. */
type RepairReading = (
  value: JsonValue,
) => { readonly value: JsonValue; readonly records: readonly RepairRecord[] } | undefined;

/** The texts inside the values of one call, read as JSON or nearly JSON within the limits of the call. */
export class DecodedTexts {
  readonly #call: ReadingCall;
  readonly #decoded = new Map<string, JsonValue | undefined>();
  /** Made for few calls. */
  #repeatedKeys: WeakMap<object, readonly RepeatedKey[]> | undefined;
  #lossy: WeakSet<object> | undefined;
  #decodable: number;
  #movesMembers = false;

  /** `size`: characters of what was sent. */
  constructor(call: ReadingCall, size: number) {
    this.#call = call;
    this.#decodable = size * decodedRatio;
  }

  /** Text was read with edits of closers, braces or brackets. */
  get movesMembers(): boolean {
    return this.#movesMembers;
  }

  /**
   * The value of text found at a location; undefined if it can't be read or a limit is reached. The same text gives the same
   * value at one path, and another one at another path.
   */
  read(text: string, place: TextPlace, repair: RepairReading): JsonValue | undefined {
    const { path, decodings } = place;
    if (decodings >= maxDecodings) return undefined;
    const id = `${path.length}:${path}${text}`;
    if (this.#decoded.has(id)) return this.#decoded.get(id);
    this.#decodable -= text.length;
    if (this.#decodable < 0) return undefined;
    const value = this.#decode(text, place, repair);
    this.#decoded.set(id, value);
    return value;
  }

  #decode(text: string, place: TextPlace, repair: RepairReading): JsonValue | undefined {
    const depth = maxDepth - (place.path.split('/').length - 1);
    const strict = parseJson(text, depth);
    if (strict.kind === 'read') return this.#adopt(strict, place);
    if (strict.reason !== 'syntax') return undefined;
    const loose = readJson(text, 'loose', depth);
    if (loose.kind === 'read')
      return loose.quotedNumbers.length === 0
        ? this.#adopt(loose, place)
        : this.#choose([readingOf(loose)], place, repair);
    if (loose.reason === 'duplicate_key') return undefined;
    const broken = readBrokenText(text, { maxDepth: depth, isComplete: false, place: 'inside' });
    return broken.kind === 'readings' ? this.#choose(broken.readings, place, repair) : undefined;
  }

  #adopt({ value, numbers, repeatedKeys }: Omit<ReadValue, 'kind'>, { path }: TextPlace): JsonValue {
    this.#call.numbers.adopt(numbers, value);
    const restored = this.#call.restored(value, path);
    if (repeatedKeys.length > 0 && isContainer(restored))
      (this.#repeatedKeys ??= new WeakMap()).set(restored, repeatedKeys);
    return restored;
  }

  /** The one reading that fits or can be repaired to fit. */
  #choose(readings: readonly TextReading[], place: TextPlace, repair: RepairReading): JsonValue | undefined {
    const { views } = this.#call;
    const choice = chooseReading(readings, { views, schema: place.schema }, (reading) => {
      const value = this.#adopt(reading, place);
      const repaired = repair(value);
      return repaired === undefined ? undefined : { ...repaired, taken: [], result: value };
    });
    if (choice.kind !== 'one') return undefined;
    const { edits } = choice.reading;
    if ((edits & lossyEdits) !== 0 && typeof choice.result === 'object' && choice.result !== null)
      (this.#lossy ??= new WeakSet()).add(choice.result);
    this.#movesMembers ||= (edits & movingEdits) !== 0;
    return choice.result;
  }

  /** Whether a value was read from text by edits that a destructive tool must have confirmed. */
  isLossy(value: JsonValue): boolean {
    return isContainer(value) && this.#lossy?.has(value) === true;
  }

  /** Records the keys that came twice, with one value, in the text that a value was read from. */
  recordsOfReading(value: JsonValue, { path }: TextPlace): readonly RepairRecord[] {
    const repeated = isContainer(value) ? this.#repeatedKeys?.get(value) : undefined;
    return repeated === undefined ? [] : recordRepeatedKeys(repeated, path);
  }
}
