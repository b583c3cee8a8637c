import { defineTool, interpret } from 'toolmend';
import { measure, type MeasureSettings } from './measure.ts';
import { type Section, shown } from './section.ts';

const kilobyte = 1_024;
const sizes = [2, 16, 64, 250].map((size) => size * kilobyte);
/** How many times as long as `JSON.parse` the text without the fault takes. */
const mostTimes = 25;

const text = { type: 'string' } as const;
const tool = defineTool({
  name: 'plan',
  description: 'Plans work.',
  inputSchema: {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            title: text,
            path: text,
            line: { type: 'integer' },
            tags: { type: 'array', items: text },
          },
          required: ['title'],
          additionalProperties: false,
        },
      },
      note: text,
    },
    additionalProperties: false,
  },
  execute: () => 'done',
});

/** JSON of about a size. */
function jsonOf(size: number): string {
  const item = (line: number) => ({
    title: `Rename the function number ${line}, and its callers`,
    path: `src/part/file-${line}.ts`,
    line,
    tags: ['rename', `t${line}`],
  });
  const count = Math.ceil(size / JSON.stringify(item(1_000)).length);
  return JSON.stringify({
    items: Array.from({ length: count }, (_, line) => item(line)),
    note: 'done',
  });
}

/** Drops the comma before a path in the middle. */
function withoutComma(json: string): string {
  const at = json.indexOf(',"path"', Math.floor(json.length / 2));
  return json.slice(0, at) + json.slice(at + 1);
}

export function brokenText(settings: MeasureSettings): Section {
  const rows = sizes.map((size) => {
    const json = jsonOf(size);
    const broken = withoutComma(json);
    const { status } = interpret(tool, { arguments: broken });
    if (status !== 'repaired') throw new Error(`A text of ${size} characters was ${status}.`);
    const [parsed, read] = measure(
      [
        { name: 'JSON.parse', run: () => JSON.parse(json) },
        { name: 'interpret', run: () => interpret(tool, { arguments: broken }) },
      ],
      settings,
    );
    return { size, parsed, read, times: read?.timesAsLongAs('JSON.parse') ?? Number.NaN };
  });
  const worst = Math.max(...rows.map(({ times }) => times));
  return {
    title: 'A text with one dropped comma',
    about:
      'Microseconds from text to outcome, beside `JSON.parse` of the text with its comma. The comma is missing in the middle.',
    columns: ['characters', 'JSON.parse', 'interpret', 'times'],
    rows: rows.map(({ size, parsed, read, times }) => [
      String(size),
      shown(parsed?.microseconds ?? Number.NaN),
      shown(read?.microseconds ?? Number.NaN),
      shown(times),
    ]),
    goals: [
      {
        goal: `at most ${mostTimes} times as long as JSON.parse, at every size`,
        measured: `${shown(worst)} times`,
        isMet: worst <= mostTimes,
      },
    ],
  };
}
