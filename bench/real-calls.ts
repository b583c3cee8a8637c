import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { defineTool, interpret, type ToolContract } from 'toolmend';
import { type MeasureSettings, median } from './measure.ts';
import { type Section, shown } from './section.ts';

const mostTimes = 4;
const files = ['systems', 'reported', 'reported-2', 'mutants', 'ours'];
/** Passes before the first one that counts. */
const warmUps = 20;
const passesPerRound = 4;

interface RealCall {
  readonly tool: ToolContract;
  readonly sent: string;
  /** The text of the repaired value. */
  readonly valid: string;
  /** Of the valid text, with a compiled validator. */
  readonly validate: (text: string) => boolean;
  readonly times: { readonly sent: number[]; readonly valid: number[]; readonly ajv: number[] };
}

/**
 * Every recorded call that is repaired, one tool after the other, as in a gateway: the code of the
 * processor and its caches never stay with one tool.
 */
export function realCalls({ rounds }: MeasureSettings): Section {
  const calls = files.flatMap(linesOf).flatMap(repairedCall);
  for (let pass = -warmUps; pass < rounds * passesPerRound; pass += 1) {
    const isCounted = pass >= 0;
    for (const { tool, sent, times } of calls)
      note(times.sent, isCounted, () => interpret(tool, { arguments: sent }));
    for (const { tool, valid, times } of calls)
      note(times.valid, isCounted, () => interpret(tool, { arguments: valid }));
    for (const { validate, valid, times } of calls)
      note(times.ajv, isCounted, () => validate(valid));
  }
  const row = (name: string, kind: keyof RealCall['times']): readonly string[] => {
    const typical = calls.map(({ times }) => median(times[kind])).toSorted((one, two) => one - two);
    const high = typical[Math.floor(typical.length * 0.9)] ?? Number.NaN;
    const timesAjv = median(calls.map(({ times }) => median(times[kind]) / median(times.ajv)));
    return [name, shown(median(typical)), shown(high), shown(timesAjv)];
  };
  const ratio = median(calls.map(({ times }) => median(times.sent) / median(times.valid)));
  return {
    title: 'Recorded calls, one tool after the other',
    about:
      `Microseconds for the ${calls.length} calls of test/cases that are repaired: the median, and the time that a tenth takes ` +
      'longer than, and the median of how many times as long as `JSON.parse` and Ajv each call takes. The valid call is that of the ' +
      'repaired value.',
    columns: ['', 'median', '90%', 'times Ajv'],
    rows: [
      row('JSON.parse + Ajv, compiled, of the valid call', 'ajv'),
      row('toolmend, the valid call', 'valid'),
      row('toolmend, the call as it was sent', 'sent'),
    ],
    goals: [
      {
        goal: `a repaired call at most ${mostTimes} times as long as the valid one, in the median`,
        measured: `${shown(ratio)} times`,
        isMet: ratio <= mostTimes,
      },
    ],
  };
}

function note(times: number[], isCounted: boolean, run: () => unknown): void {
  const start = performance.now();
  run();
  const end = performance.now();
  if (isCounted) times.push((end - start) * 1_000);
}

const linesOf = (file: string): readonly string[] =>
  readFileSync(new URL(`../test/cases/${file}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n');

/** None if the call isn't repaired. */
function repairedCall(line: string): readonly RealCall[] {
  const { schema, input, inputText, expect } = JSON.parse(line);
  if (expect.outcome !== 'repaired') return [];
  const tool = defineTool({
    name: 'note',
    description: 'A note.',
    inputSchema: schema,
    execute: () => 'done',
  });
  const sent: string = inputText ?? JSON.stringify(input);
  const result = interpret(tool, { arguments: sent });
  if (result.status !== 'repaired') return [];
  const valid = JSON.stringify(result.value);
  if (interpret(tool, { arguments: valid }).status !== 'unchanged') return [];
  const validate = compiledAjv(schema);
  return validate(valid) ? [{ tool, sent, valid, validate, times: noTimes() }] : [];
}

const noTimes = (): RealCall['times'] => ({ sent: [], valid: [], ajv: [] });

function compiledAjv(schema: object): (text: string) => boolean {
  const { $schema: _draft, ...others } = Object.fromEntries(Object.entries(schema));
  const ajv = new Ajv2020({ strict: false, ownProperties: true, logger: false });
  addFormats.default(ajv);
  const validate = ajv.compile(others);
  return (text) => validate(JSON.parse(text));
}
