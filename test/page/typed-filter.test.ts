import { suggestionsFor, typedFilter } from '../../page/typed-filter.ts';

const values: Readonly<Record<string, readonly string[]>> = {
  model: ['atlas-mini', 'qwen3:8b', 'atlas-max'],
  issue: ['type /limit', 'required /limit'],
  tool: ['edit file'],
};
const knownValues = (key: string): readonly string[] => values[key] ?? [];

test.each([
  ['', {}],
  ['refund', { text: 'refund' }],
  ['two words', { text: 'two words' }],
  ['model:atlas-mini', { model: 'atlas-mini' }],
  ['model: atlas-mini', { model: 'atlas-mini' }],
  ['model:qwen3:8b', { model: 'qwen3:8b' }],
  ['model:atlas-mini status:rejected', { model: 'atlas-mini', status: 'rejected' }],
  ['no model:atlas-mini money', { model: 'atlas-mini', text: 'no money' }],
  ['release:"1.0 beta" run:r1', { release: '1.0 beta', run: 'r1' }],
  ['tool:"edit" file', { tool: 'edit', text: 'file' }],
  ['"model:a b" c', { text: 'model:a b c' }],
  ['release:"1.0 be', { release: '1.0 be' }],
  // Calls have this value: quotes are not needed.
  ['issue:type /limit run:r1', { issue: 'type /limit', run: 'r1' }],
  ['issue:type /limit too', { issue: 'type /limit', text: 'too' }],
  ['issue:type /other', { issue: 'type', text: '/other' }],
  ['text:a b', { text: 'a b' }],
  ['model: status:valid', { status: 'valid' }],
  ['submodel:x 5" "', { text: 'submodel:x 5"' }],
])('%s', (line, filter) => {
  expect(typedFilter(line, knownValues)).toEqual(filter);
});

test.each([
  ['mod', ['model:']],
  ['model:mini', ['model:atlas-mini']],
  ['model:', ['model:atlas-mini', 'model:qwen3:8b', 'model:atlas-max']],
  ['model:atlas-mini', []],
  ['model:atlas-mini sta', ['model:atlas-mini status:']],
  [
    'status:rejected issue:limit',
    ['status:rejected issue:type /limit', 'status:rejected issue:required /limit'],
  ],
  ['issue:"type /l', ['issue:type /limit']],
  ['', []],
])('after %s, the suggestions make the line', (line, lines) => {
  expect(suggestionsFor(line, knownValues).map((one) => one.line)).toEqual(lines);
});
