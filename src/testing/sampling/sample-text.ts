// Which text would stand at a place? By its format, its pattern, its name, or whatever people write.
import type { SchemaObject } from '../../json/json-schema.ts';
import { isPathName } from '../../validate/path-names.ts';
import type { Random } from '../random.ts';

const byFormat: ReadonlyMap<string, string> = new Map([
  ['uri', 'https://example.com/docs/a'],
  ['url', 'https://example.com/docs/a'],
  ['email', 'ada@example.com'],
  ['date-time', '2026-03-01T12:00:00Z'],
  ['date', '2026-03-01'],
  ['time', '12:00:00Z'],
  ['uuid', '0f8fad5b-d9cb-469f-a165-70867728950e'],
  ['ipv4', '192.0.2.7'],
  ['hostname', 'example.com'],
]);

const paths = ['notes.md', 'src/app.ts', '/tmp/report.txt', 'docs/read me.md', '.'];

/** Among them what repair must leave alone where text is declared: JSON, lists, links, numbers, words. */
const texts = [
  'weekly report',
  'Ada Lovelace',
  'blue',
  'main',
  'Straße – 東京 😀',
  'first line\nsecond line\n',
  'He said "no", it\'s over',
  'a, b, c',
  '["x"]',
  '{"a": 1}',
  '{\n  "a": 1\n}',
  '[notes.md](http://notes.md)',
  '42',
  '1.50',
  'true',
  'None',
  'C:\\Users\\ada',
  '</tool_call> {',
];

/** What patterns usually ask for. */
const shaped = [
  'abc123',
  '0123456789abcdef01234567',
  'abc',
  'a-b',
  'ABC',
  'v1.2.3',
  '1.2.3',
  '12345',
  '2026-03-01',
  '12:30',
  '#ff0000',
  '+15551234567',
  'https://example.com',
  'a/b',
  'PROJ-12',
  'abc_def',
  '0x1f',
  'en-US',
  'USD',
];

/** Text that meets format, pattern and length where they allow what is known here. */
export function sampleText(plain: SchemaObject, name: string, random: Random): string {
  const formatted = byFormat.get(plain.format ?? '');
  if (formatted !== undefined) return formatted;
  const pattern = patternOf(plain);
  if (pattern !== undefined)
    return random.pick([...shaped, ...texts].filter((text) => pattern.test(text))) ?? 'abc';
  const pool = isPathName(name) ? paths : random.chance(0.5) ? texts : texts.slice(0, 4);
  return fitted(random.pick(pool) ?? '', plain);
}

function patternOf({ pattern }: SchemaObject): RegExp | undefined {
  try {
    return typeof pattern === 'string' ? new RegExp(pattern, 'u') : undefined;
  } catch {
    return undefined;
  }
}

function fitted(text: string, { minLength, maxLength }: SchemaObject): string {
  const least = typeof minLength === 'number' ? minLength : 0;
  const long = text.length < least ? text + 'x'.repeat(least - text.length) : text;
  return typeof maxLength === 'number' && long.length > maxLength ? 'abcdefgh'.slice(0, maxLength) : long;
}
