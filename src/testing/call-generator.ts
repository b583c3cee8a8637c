// Which calls would a model make for a tool, valid ones and broken ones? By chance, and the same for the same seed.
import type { ToolContract } from '../contract/tool-contract.ts';
import { isJsonObject, type JsonObject, type JsonType } from '../json/json-value.ts';
import type { Judge } from '../validate/judge.ts';
import { judgeOf } from '../validate/judge-of.ts';
import { isFree, type PlacedMistake, possibleMistakes, withMistakes } from './broken-call.ts';
import { placesOf } from './mistakes/call-place.ts';
import { envelopeKind, mistakeKinds, placeMistakes } from './mistakes/mistake-table.ts';
import { textMistakes } from './mistakes/text-mistakes.ts';
import { Random } from './random.ts';
import { sampleValue } from './sampling/sample-value.ts';

/** A call with mistakes in it, and the only thing that it can have meant. */
export interface BrokenCall {
  /** What was sent; the provider said that it ended normally (`tool_calls`). */
  readonly text: string;
  /** What the tool must get. */
  readonly value: JsonObject;
  readonly mistakes: readonly string[];
}

/** Attempts at a value that the judge accepts. */
const mostAttempts = 40;

/** Makes calls of one tool. */
export class CallGenerator {
  readonly #judge: Judge;
  readonly #random: Random;
  readonly #kinds: ReadonlySet<string>;

  /** `kinds`: those of `mistakeKinds` that may be made; default: all. */
  constructor(contract: ToolContract, seed: number, kinds: readonly string[] = mistakeKinds) {
    this.#judge = judgeOf(contract);
    this.#random = new Random(seed);
    this.#kinds = new Set(kinds);
  }

  /** Arguments that the tool accepts as they are; undefined if none were found. */
  valid(): JsonObject | undefined {
    const { root } = this.#judge.views;
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const value = sampleValue({ root, random: this.#random }, root, { name: '', depth: 0 });
      if (isJsonObject(value) && this.#judge.accepts(value)) return value;
    }
    return undefined;
  }

  /** A call with this many mistakes; undefined if the arguments don't have so many places. */
  broken(count: number): BrokenCall | undefined {
    const value = this.valid();
    if (value === undefined) return undefined;
    const isText = this.#random.chance(0.35);
    const isWrapped = this.#random.chance(0.1) && this.#kinds.has(envelopeKind);
    const made = this.#placed(value, count - (isText ? 1 : 0) - (isWrapped ? 1 : 0));
    const kinds = made.map(({ kind }) => kind);
    let sent = withMistakes(value, made);
    const wrapped = isWrapped ? this.#wrapped(sent) : undefined;
    if (wrapped !== undefined) {
      sent = wrapped;
      kinds.push(envelopeKind);
    }
    const json = JSON.stringify(sent);
    const written = isText ? this.#written(sent, json) : undefined;
    if (written !== undefined) kinds.push(written.kind);
    return kinds.length === count ? { text: written?.text ?? json, value, mistakes: kinds } : undefined;
  }

  #placed(value: JsonObject, count: number): readonly PlacedMistake[] {
    const mistakes = placeMistakes.filter(({ kind }) => this.#kinds.has(kind));
    const made: PlacedMistake[] = [];
    if (count <= 0) return made;
    for (const placed of possibleMistakes(this.#judge, value, { mistakes, random: this.#random })) {
      if (isFree(placed, made)) made.push(placed);
      if (made.length === count) break;
    }
    return made;
  }

  /** The call around its own arguments; undefined where the tool would take it as it is. */
  #wrapped(value: JsonObject): JsonObject | undefined {
    const key = this.#random.pick(['arguments', 'args', 'input', 'parameters', 'params']) ?? 'arguments';
    const { name, isUnnamed } = this.#judge.contract;
    const isCall = isUnnamed !== true && this.#random.chance(0.5);
    const wrapped = isCall ? { name, arguments: value } : { [key]: value };
    const { properties } = this.#judge.views.of(this.#judge.views.root);
    const isDeclared = Object.keys(wrapped).some((envelopeKey) => properties.has(envelopeKey));
    return isDeclared || this.#judge.accepts(wrapped) ? undefined : wrapped;
  }

  /** Arguments that take nothing of these types. */
  #keysWithout(...types: readonly JsonType[]): ReadonlySet<string> {
    const places = placesOf(this.#judge.views, {});
    const taking = places.filter((place) => !types.some((type) => place.types.has(type)));
    return new Set(taking.map(({ path: [key = ''] }) => key));
  }

  #written(value: JsonObject, json: string): { readonly text: string; readonly kind: string } | undefined {
    const keysWithoutText = this.#keysWithout('string');
    const keysOfScalars = this.#keysWithout('string', 'array', 'object');
    const call = { value, json, keysWithoutText, keysOfScalars };
    for (const { kind, make } of this.#random.shuffled(textMistakes)) {
      const text = this.#kinds.has(kind) ? make(call, this.#random) : undefined;
      if (text !== undefined && text !== json) return { text, kind };
    }
    return undefined;
  }
}
