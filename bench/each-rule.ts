import { isDeepStrictEqual } from 'node:util';
import { defineTool, interpret } from 'toolmend';
import { measure, type Measured, type MeasureSettings } from './measure.ts';
import { type NearMiss, textNearMisses, valueNearMisses } from './near-misses.ts';
import {
  ajvCoercer,
  jsonrepairReader,
  typeboxConverter,
  typiaValidatingRepairer,
} from './peers/read-text.mjs';
import { type Goal, type Section, shown } from './section.ts';

const ours = 'toolmend';
const peers: Readonly<Record<string, (schema: NearMiss['schema']) => (text: string) => unknown>> = {
  'ajv, coerceTypes': ajvCoercer,
  'typebox, Convert': typeboxConverter,
  '@typia/utils LlmJson': typiaValidatingRepairer,
  'jsonrepair + ajv': jsonrepairReader,
};

interface Row {
  readonly rule: string;
  readonly own: Measured;
  /** Those that give the repaired value too. */
  readonly rivals: readonly Measured[];
}

export function eachRule(settings: MeasureSettings): Section {
  const rows = [...textNearMisses, ...valueNearMisses].map((nearMiss) => rowOf(nearMiss, settings));
  return {
    title: 'Each rule: text to repaired value',
    about:
      'Microseconds for one near-miss that only this rule answers, in a tool of three fields. A dash: refused, or another ' +
      'value comes out. Each of them validates what it gives; toolmend records what it changed, too.',
    columns: ['rule', ours, ...Object.keys(peers)],
    rows: rows.map(({ rule, own, rivals }) => [
      rule,
      shown(own.microseconds),
      ...Object.keys(peers).map((name) => cell(rivals.find((rival) => rival.name === name))),
    ]),
    goals: [goalOf(rows)],
  };
}

const cell = (measured: Measured | undefined): string =>
  measured === undefined ? '–' : shown(measured.microseconds);

function goalOf(rows: readonly Row[]): Goal {
  const ratios = rows.flatMap(({ rule, own, rivals }) => {
    const slowest = rivals.toSorted((left, right) => right.microseconds - left.microseconds)[0];
    return slowest === undefined ? [] : [{ rule, times: own.timesAsLongAs(slowest.name) }];
  });
  const [worst] = ratios.toSorted((left, right) => right.times - left.times);
  return {
    goal: 'never slower than the slowest that repairs it too',
    measured: `${shown(worst?.times ?? Number.NaN)} times (${worst?.rule ?? 'none'}; ${ratios.length} of ${rows.length} rules have a rival)`,
    isMet: ratios.every(({ times }) => times <= 1),
  };
}

function rowOf(nearMiss: NearMiss, settings: MeasureSettings): Row {
  const { rule, schema, text, repaired } = nearMiss;
  const rivals = Object.entries(peers)
    .map(([name, makeReader]) => ({ name, read: makeReader(schema) }))
    .filter(({ read }) => isDeepStrictEqual(plain(attempt(read, text)), repaired));
  const subjects = [
    { name: ours, run: interpretedBy(nearMiss) },
    ...rivals.map(({ name, read }) => ({ name, run: () => read(text) })),
  ];
  const [own, ...measured] = measure(subjects, settings);
  if (own === undefined) throw new Error(`${rule} was not measured`);
  return { rule, own, rivals: measured };
}

/** Fails early if it isn't this rule that repairs it, or not to this value. */
function interpretedBy({
  rule,
  schema,
  text,
  repaired,
  tool,
  finishReason,
}: NearMiss): () => unknown {
  const contract = defineTool({
    name: 'note',
    description: 'A note.',
    inputSchema: schema,
    execute: () => 'done',
    ...tool,
  });
  const call = { arguments: text, ...(finishReason === undefined ? {} : { finishReason }) };
  const result = interpret(contract, call);
  const rules = result.repairs.map((repair) => repair.rule);
  const isRight = result.status === 'repaired' && isDeepStrictEqual(plain(result.value), repaired);
  if (!isRight || rules.some((name) => name !== rule))
    throw new Error(`${rule}: ${result.status} by ${rules.join(', ')}: ${JSON.stringify(result)}`);
  return () => interpret(contract, call);
}

function attempt(read: (text: string) => unknown, text: string): unknown {
  try {
    return read(text);
  } catch {
    return undefined;
  }
}

// Prototypes don't count: only what would be sent on.
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');
