// Tools for the tests of adapters: what a text can't hold, notes, long and empty results.
import { resultPages, ToolFailure, ToolRegistry, ToolResult } from 'toolmend';
import { closedTool, thrower, toolOf } from '../tools.ts';

const texts = { type: 'array', items: { type: 'string' } } as const;

/** Files of types that some APIs take. */
export const attach = closedTool('attach', () =>
  ToolResult.of('See the files.')
    .file('JVBERg==', 'application/pdf', { uri: 'file:///tmp/a_b.pdf' })
    .file(new TextEncoder().encode('a,b'), 'text/csv; charset=utf-8', { name: 'rows.csv' })
    .file('UEs=', 'application/zip', { name: 'all.zip' })
    .link('https://a.test/c', { name: 'c', description: 'The rest.' }),
);

/** In the places of the files that hardly any API takes. */
export const attachTexts = [
  "The result has a file that can't be shown here: all.zip, application/zip, 2 bytes.",
  'c\nhttps://a.test/c\nThe rest.',
] as const;

export const resultTools = () =>
  new ToolRegistry({ hints: 'off' }).register(
    closedTool('chart', () =>
      ToolResult.of({ rows: 3 }).text('A chart.').image('aGk=', 'image/png'),
    ),
    closedTool(
      'search',
      ({ query }) => `found ${JSON.stringify(query).slice(1, -1)}`,
      { query: { type: 'string' }, limit: { type: 'integer' } },
      { required: ['query'] },
    ),
    closedTool('empty', () => ''),
    attach,
  );

const drawing = () => ToolResult.of(1).text('a line').image('aGk=', 'image/png');

/** With results in pages of 100 characters. `read_files` returns its arguments. */
export const pagedTools = new ToolRegistry({
  hints: 'off',
  interceptors: [resultPages({ maxResultChars: 100 }).interceptor],
}).register(
  closedTool(
    'read_files',
    (values) => values,
    {
      paths: texts,
      limit: { type: 'integer' },
      labels: { type: 'array', items: { type: 'number' } },
    },
    { required: ['paths'] },
  ),
  attach,
  closedTool('now', () => 'noon'),
  closedTool('draw', drawing),
  closedTool('draw_bitmap', () => drawing().image('aGk=', 'image/bmp')),
  closedTool('long', () => 'word '.repeat(40)),
  closedTool('empty', () => ''),
  closedTool('fail', thrower(new ToolFailure('The disk is full.'))),
);

/** Its calls fail if they say so. */
export const chart = closedTool(
  'chart',
  ({ broken }) => {
    if (broken === true) throw new ToolFailure('There is no paper.');
    return ToolResult.of({ rows: 3 })
      .text('A chart.')
      .image('aGk=', 'image/png')
      .artifact('secret');
  },
  { broken: { type: 'boolean' } },
  { returnDirect: true },
);

/** Its call is aborted while it runs. */
export const abortedWork = (controller: AbortController) =>
  toolOf(
    (_values, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve('stopped'));
        controller.abort(new Error('enough'));
      }),
  );
