import type { Reading } from '../../../src/json/lenient-parser.ts';
import { readJson } from '../../../src/json/lenient-parser.ts';

const read = (text: string): Reading => readJson(text, { mode: 'loose', maxDepth: 64, closeAtEnd: false });

test('wrong closers that would take more readings than the text’s length allows have none', () => {
  const long = `{"rows": [${'1,'.repeat(150_000)}1}], "o": {"x": [1}, "y": [2}, "z": [3}}}`;
  expect(read(long)).toMatchObject({ kind: 'unreadable' });
  expect(read(long.replace('1,'.repeat(140_000), ''))).toMatchObject({ kind: 'read' });
});
