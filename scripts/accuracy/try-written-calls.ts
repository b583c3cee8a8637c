// Reads generated calls that are written as text, with faults in their markup, and compares the
// result with what they mean.
import { isDeepStrictEqual } from 'node:util';
import { interpret } from '../../src/interpret/interpret-arguments.ts';
import { CallReader, type CallInText, readCalls } from '../../src/interpret/read-calls.ts';
import { spellingOf } from '../../src/json/key-spelling.ts';
import {
  type JsonObject,
  type JsonType,
  type JsonValue,
  isJsonArray,
  jsonTypeOf,
  sameValue,
} from '../../src/json/value.ts';
import { faultLocations } from '../../src/testing/fault-locations.ts';
import { valueFaults } from '../../src/testing/faults.ts';
import { CallGenerator } from '../../src/testing/generate.ts';
import { Random } from '../../src/testing/sample-value.ts';
import type { ToolContract } from '../../src/tool/tool-contract.ts';
import { validatorOf } from '../../src/validate/validator.ts';
import {
  type ChatTemplate,
  type Piece,
  chatTemplates,
} from '../../test/notations/chat-templates.ts';
import { markupFaults, markupText } from './markup-faults.ts';

/**
 * `missed`: the call stays text, or its arguments are refused. `wrong`: another call is read, or
 * another value is accepted. `differs`: the same text in parts gives another result.
 */
export type TextVerdict = 'right' | 'missed' | 'wrong' | 'differs';
export type TextCounts = { [verdict in TextVerdict]: number };

export interface TriedTexts {
  readonly counts: Readonly<TextCounts>;
  readonly models: ReadonlyMap<string, Readonly<TextCounts>>;
  readonly faults: ReadonlyMap<string, Readonly<TextCounts>>;
  /** The first calls that did not come out right, described. */
  readonly odd: { readonly [verdict in Exclude<TextVerdict, 'right'>]: readonly string[] };
}

export interface TextTrial {
  readonly calls: number;
  readonly seed: number;
  /** Faults in each call. */
  readonly faults: readonly [fewest: number, most: number];
}

interface WrittenText {
  readonly text: string;
  readonly meant: JsonObject;
  readonly faults: readonly string[];
}

const mostAttempts = 50;
const mostOdd = 100;
const noCounts = (): TextCounts => ({ right: 0, missed: 0, wrong: 0, differs: 0 });

/** The same seed and tools make the same texts. */
export function tryTexts(contracts: readonly ToolContract[], trial: TextTrial): TriedTexts {
  const { seed, calls, faults } = trial;
  const random = new Random(seed);
  const writers = contracts.map((contract) => new CallWriter(contract, random.integer(0, 2 ** 31)));
  const counts = noCounts();
  const models = new Map<string, TextCounts>();
  const kinds = new Map<string, TextCounts>();
  const odd = {
    missed: new Array<string>(),
    wrong: new Array<string>(),
    differs: new Array<string>(),
  };
  for (let attempt = 0, made = 0; made < calls && attempt < calls * mostAttempts; attempt += 1) {
    const writer = random.pick(writers);
    const template = random.pick(chatTemplates);
    const written = template && writer?.write(template, random.integer(...faults), random);
    if (writer === undefined || template === undefined || written === undefined) continue;
    made += 1;
    const result = read(writer.contract, written, random);
    counts[result.verdict] += 1;
    countIn(models, template.models, result.verdict);
    for (const kind of new Set(written.faults)) countIn(kinds, kind, result.verdict);
    const list = result.verdict === 'right' ? undefined : odd[result.verdict];
    if (list !== undefined && list.length < mostOdd)
      list.push(describe(writer.contract, template, written, result.got));
  }
  return { counts, models, faults: kinds, odd };
}

function countIn(rows: Map<string, TextCounts>, key: string, verdict: TextVerdict): void {
  const row = rows.get(key) ?? noCounts();
  row[verdict] += 1;
  rows.set(key, row);
}

function read(
  contract: ToolContract,
  { text, meant }: WrittenText,
  random: Random,
): { readonly verdict: TextVerdict; readonly got: unknown } {
  const { calls } = readCalls(text, [contract]);
  if (!isDeepStrictEqual(withoutIds(calls), withoutIds(inParts(contract, text, random))))
    return { verdict: 'differs', got: calls };
  const results = calls.map(({ arguments: sentArguments }) =>
    interpret(contract, { arguments: sentArguments, finishReason: 'stop' }),
  );
  const accepted = results.filter(({ status }) => status !== 'rejected');
  if (accepted.length === 0) return { verdict: 'missed', got: results.map(({ issues }) => issues) };
  const [only, ...others] = accepted.flatMap((result) =>
    result.status === 'rejected' ? [] : [result.value],
  );
  const isRight = only !== undefined && others.length === 0 && sameValue(only, meant);
  return { verdict: isRight ? 'right' : 'wrong', got: [only, ...others] };
}

function inParts(contract: ToolContract, text: string, random: Random): readonly CallInText[] {
  const reader = new CallReader([contract]);
  const calls: CallInText[] = [];
  for (let at = 0; at < text.length;) {
    const size = random.integer(1, random.chance(0.5) ? 4 : 60);
    calls.push(...reader.add(text.slice(at, at + size)).calls);
    at += size;
  }
  return [...calls, ...reader.end().calls];
}

const withoutIds = (calls: readonly CallInText[]) => calls.map(({ id: _id, ...call }) => call);

const wordsBefore = [
  '',
  '',
  'I look that up.\n\n',
  '<think>\nThe tool can tell.\n</think>\n\n',
  '好的，我来查。\n',
  'Sure!\n',
];
const wordsAfter = ['', '', '\n', '\n\nThat was it.', ' Ok.'];

/**
 * Value faults that a call in markup may have, too. The text of an object that was sent for a
 * string has the blanks of the template, which the fault doesn't know.
 */
const valueKinds = Object.keys(valueFaults).filter((kind) => kind !== 'text_as_object');

/** Writes calls of one tool. */
class CallWriter {
  readonly contract: ToolContract;
  readonly #generator: CallGenerator;
  readonly #types: ReadonlyMap<string, ReadonlySet<JsonType>>;

  constructor(contract: ToolContract, seed: number) {
    this.contract = contract;
    this.#generator = new CallGenerator(contract, seed, valueKinds);
    this.#types = new Map(
      faultLocations(validatorOf(contract).views, {}).map(({ key, types }) => [
        spellingOf(key),
        types,
      ]),
    );
  }

  /** A call with this many faults; undefined if the template or the call has no place for them. */
  write(template: ChatTemplate, count: number, random: Random): WrittenText | undefined {
    const inValues = count > 1 && random.chance(0.4) ? 1 : 0;
    const call = inValues > 0 ? this.#generator.brokenArguments(inValues) : this.#valid();
    if (call === undefined) return undefined;
    const parsed: JsonObject = JSON.parse(call.text);
    const { sent, meant } = this.#withMarkup(parsed, call.meant, random);
    const { name } = this.contract;
    const isTold =
      template.kind !== 'tags' ||
      (this.#canBeUntyped(sent) && ![sent, meant].some((value) => this.#takesTextInside(value)));
    const pieces = isTold ? template.write({ name, arguments: sent }) : undefined;
    if (pieces === undefined) return undefined;
    let written: readonly Piece[] = pieces;
    const faults = [...call.faults];
    for (const kind of random.shuffle(Object.keys(markupFaults))) {
      if (faults.length >= count) break;
      const broken = isApart(kind, faults)
        ? markupFaults[kind]?.({ template, name, pieces: written }, random)
        : undefined;
      if (broken === undefined) continue;
      written = broken;
      faults.push(kind);
    }
    if (faults.length !== count) return undefined;
    const before = random.pick(wordsBefore) ?? '';
    const after = template.isBare === true ? '' : (random.pick(wordsAfter) ?? '');
    return { text: before + written.map(({ text }) => text).join('') + after, meant, faults };
  }

  #valid() {
    const meant = this.#generator.valid();
    return meant === undefined ? undefined : { text: JSON.stringify(meant), meant, faults: [] };
  }

  /** Now and then, one string holds markup. */
  #withMarkup(sent: JsonObject, meant: JsonObject, random: Random) {
    const key = random.chance(0.25)
      ? random.pick(Object.keys(sent).filter((one) => typeof sent[one] === 'string'))
      : undefined;
    if (key === undefined || sent[key] !== meant[key]) return { sent, meant };
    const text = markupText(this.contract.name, random);
    const changed = { ...meant, [key]: text };
    return validatorOf(this.contract).accepts(changed) &&
      validatorOf(this.contract).checkFailures(changed).length === 0
      ? { sent: { ...sent, [key]: text }, meant: changed }
      : { sent, meant };
  }

  /** Whether the tool also takes a string where a nested scalar is none: elements don't tell. */
  #takesTextInside(sent: JsonObject): boolean {
    return Object.entries(sent).some(
      ([key, value]) =>
        typeof value === 'object' &&
        value !== null &&
        withTextForScalar(value).some((variant) =>
          validatorOf(this.contract).accepts({ ...sent, [key]: variant }),
        ),
    );
  }

  /** Whether the schema tells strings from other values where the markup doesn't. */
  #canBeUntyped(sent: JsonObject): boolean {
    return Object.entries(sent).every(([key, value]) => {
      const types = this.#types.get(spellingOf(key));
      if (types === undefined) return false;
      if (typeof value !== 'string')
        return value === null
          ? types.has('null')
          : !types.has('string') && types.has(jsonTypeOf(value));
      return types.has('string') && (types.size === 1 || !looksLikeJson(value));
    });
  }
}

/** A value with one of its scalars as text, for each of them. */
function withTextForScalar(value: JsonValue): readonly JsonValue[] {
  if (typeof value === 'string') return [];
  if (typeof value !== 'object' || value === null) return [String(value)];
  if (isJsonArray(value))
    return value.flatMap((item, index) =>
      withTextForScalar(item).map((variant) => value.with(index, variant)),
    );
  return Object.entries(value).flatMap(([key, member]) =>
    withTextForScalar(member).map((variant) => ({ ...value, [key]: variant })),
  );
}

/** Faults of one place, which hide each other. */
const places = [
  /^(?:parameter_end|end_)/,
  /^(?:parameter_end|blanks)/,
  /^(?:parameter_end|closing_wrapper_twice)/,
  /wrapper/,
  /^(?:closing_wrapper|closer_too_many)/,
  /^(?:wrapper|colon_too_many)/,
  /_key$|namespaced|arguments_as|name/,
];
/** Value faults that leave something out, as markup with faults may not. */
const leavesOut = /^(?:empty_unknown_key|null_for|placeholder_for|default_left)/;
const literalFaults =
  /^(?:trailing_comma|python|unquoted|raw_line|curly|key_quote|comma|colon|comment|closer|arguments_as|other_|namespaced|single|json_words|plain)/;

const isApart = (kind: string, faults: readonly string[]): boolean =>
  faults.every(
    (other) =>
      !places.some((place) => place.test(kind) && place.test(other)) &&
      !(literalFaults.test(kind) && literalFaults.test(other)) &&
      // Beside an end that is missing, another one that is missing may be the call's.
      !(/lost/.test(kind) && /lost/.test(other)) &&
      !(/lost|twice|garbled/.test(kind) && leavesOut.test(other)),
  );

const looksLikeJson = (text: string): boolean =>
  /^\s*(?:[-\d.[{"]|true|false|null|none|nan|infinity)/i.test(text);

const describe = (
  { inputSchema, name }: ToolContract,
  { models }: ChatTemplate,
  { text, meant, faults }: WrittenText,
  got: unknown,
): string =>
  [
    `${models} | ${name}: ${faults.join(', ')}`,
    `  text      ${JSON.stringify(text).slice(0, 900)}`,
    `  expected  ${JSON.stringify(meant).slice(0, 600)}`,
    `  got       ${JSON.stringify(got)?.slice(0, 600)}`,
    `  schema    ${JSON.stringify(inputSchema).slice(0, 700)}`,
  ].join('\n');
