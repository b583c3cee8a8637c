import { isDeepStrictEqual } from 'node:util';
import { defineTool, interpret } from 'toolmend';
import { measure, type Measured, type MeasureSettings } from './measure.ts';
import { parserRepairer, typiaRepairer, typiaValidatingRepairer } from './peers/read-text.mjs';
import type { SchemaObject } from './schema-object.ts';
import { type Goal, type Section, shown } from './section.ts';

interface NearMiss {
  readonly title: string;
  readonly schema: SchemaObject;
  readonly text: string;
  readonly repaired: object;
}

/** A tool of three fields: a text, a list, a number. `sent`: instead of the repaired arguments. */
function nearMiss(
  title: string,
  items: SchemaObject,
  [sent, repaired]: readonly [object, object],
): NearMiss {
  return {
    title,
    schema: {
      type: 'object',
      properties: {
        title: { type: 'string' },
        entries: { type: 'array', items },
        priority: { type: 'integer', minimum: 1, maximum: 3 },
      },
      required: ['title', 'entries', 'priority'],
      additionalProperties: false,
    },
    text: JSON.stringify(sent),
    repaired,
  };
}

const textSchema = { type: 'string' } as const;
const others = { title: 'Renew the contract', priority: 2 };
const entries = ['billing', 'contract', 'renewal', 'europe'];
const repairedTexts = { ...others, entries };

/** Arguments whose list comes as text. */
const withListAsText = (list: readonly unknown[]): readonly [object, object] => [
  { ...others, entries: JSON.stringify(list) },
  { ...others, entries: list },
];

const nearMisses: readonly NearMiss[] = [
  nearMiss('a list of 4 texts', textSchema, withListAsText(entries)),
  nearMiss(
    'a list of 3 objects',
    {
      type: 'object',
      properties: { text: textSchema, done: { type: 'boolean' } },
      required: ['text', 'done'],
      additionalProperties: false,
    },
    withListAsText([
      { text: 'Write to the customer', done: true },
      { text: 'Check the old terms', done: false },
      { text: 'Send the offer', done: false },
    ]),
  ),
  nearMiss('a number as text', textSchema, [{ ...repairedTexts, priority: '2' }, repairedTexts]),
  nearMiss('a misspelt key', textSchema, [{ ...others, Entries: entries }, repairedTexts]),
];

const ours = 'toolmend';
const parsing = '@typia/utils LlmJson.parse';
/** What it takes for a value that may be relied on: parse and coerce, then validate. */
const validating = '@typia/utils LlmJson.parse + validate';

export function stringifiedList(settings: MeasureSettings): Section {
  const columns = nearMisses.map((sent) => measureOne(sent, settings));
  const names = columns[0]?.map(({ name }) => name) ?? [];
  return {
    title: 'A list or a number as text, and a misspelt key: text to repaired value',
    about:
      'Microseconds, for a tool of three fields. toolmend also validates, checks again after the repair and records it; ' +
      '`LlmJson.parse` and `coerceBySchema` parse and coerce, and validate nothing. “wrong value” marks a result that is not the repaired value, and “refused” a call that a library refuses; the goals leave both out.',
    columns: ['', ...nearMisses.map(({ title }) => title)],
    rows: names.map((name, at) => [name, ...columns.map((column) => cell(column[at]))]),
    goals: nearMisses.map(({ title }, at) => goalOf(title, columns[at] ?? [])),
  };
}

interface Contender extends Measured {
  readonly result: 'right' | 'wrong value' | 'refused';
}

function measureOne(
  { schema, text, repaired }: NearMiss,
  settings: MeasureSettings,
): readonly Contender[] {
  const tool = defineTool({
    name: 'note',
    description: 'A note.',
    inputSchema: schema,
    execute: () => 'done',
  });
  const readers: readonly (readonly [string, (text: string) => unknown])[] = [
    [ours, (sent) => interpretedBy(tool, sent)],
    [parsing, typiaRepairer(schema)],
    [validating, typiaValidatingRepairer(schema)],
    ['@ai-sdk-tool/parser rjson + coerceBySchema', parserRepairer(schema)],
  ];
  const subjects = readers.map(([name, read]) => ({ name, run: () => attempt(read, text) }));
  return measure(subjects, settings).map((measured, at) => {
    const value = subjects[at]?.run();
    const isRight = isDeepStrictEqual(plain(value), repaired);
    const result = isRight ? 'right' : value === undefined ? 'refused' : 'wrong value';
    return { ...measured, result };
  });
}

/** undefined if a library refuses the call. */
function attempt(read: (text: string) => unknown, text: string): unknown {
  try {
    return read(text);
  } catch {
    return undefined;
  }
}

function interpretedBy(tool: ReturnType<typeof defineTool>, text: string): unknown {
  const result = interpret(tool, { arguments: text });
  if (result.status !== 'repaired') throw new Error(`a stringified list is ${result.status}`);
  return result.value;
}

// Prototypes don't count: only what would be sent on.
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');

const cell = (measured: Contender | undefined): string =>
  measured === undefined
    ? ''
    : `${shown(measured.microseconds)}${measured.result === 'right' ? '' : `, ${measured.result}`}`;

function goalOf(title: string, measured: readonly Contender[]): Goal {
  const own = measured.find(({ name }) => name === ours);
  const ratios = measured
    .filter(({ name, result }) => name !== ours && name !== parsing && result === 'right')
    .map(({ name }) => own?.timesAsLongAs(name) ?? Number.NaN);
  const parses = measured.find(({ name }) => name === parsing)?.result === 'right';
  const ofParse = parses
    ? ` (${shown(own?.timesAsLongAs(parsing) ?? Number.NaN)} of the parse alone)`
    : '';
  return {
    goal: `${title}: a validated value faster than each that gives it`,
    measured:
      ratios.length === 0
        ? 'no other one gives it'
        : `${ratios.map(shown).join(' and ')} of their time${ofParse}`,
    isMet: own?.result === 'right' && ratios.every((ratio) => ratio < 1),
  };
}
