// Long argument texts: valid ones, and near-misses that a careless reader would read more than
// once.

export interface TextFamily {
  readonly name: string;
  /** Argument text of about that many characters, never more. */
  readonly textOf: (size: number) => string;
}

/** `head`, as often `unit` as fits, and `tail`; `unit` is told its number. */
const repeated =
  (head: string, unit: (at: number) => string, tail: string) =>
  (size: number): string => {
    const parts: string[] = [head];
    let length = head.length + tail.length;
    for (let at = 0; ; at += 1) {
      const part = unit(at);
      length += part.length;
      if (length > size) return [...parts, tail].join('');
      parts.push(part);
    }
  };

const content = (unit: string) => repeated('{"content":"', () => unit, '"}');
const items = (unit: (at: number) => string) =>
  repeated('{"items":[', unit, '{"id":0,"title":"last"}]}');

export const textFamilies: readonly TextFamily[] = [
  { name: 'valid: one long text', textOf: content('A line of text with some words. ') },
  { name: 'valid: text of escapes', textOf: content('\\n\\"\\\\\\u00e9') },
  { name: 'valid: list of objects', textOf: items((at) => `{"id":${at},"title":"entry ${at}"},`) },
  {
    name: 'valid: numbers with fractions',
    textOf: repeated('{"numbers":[', (at) => `${at}.50,`, '1]}'),
  },
  {
    name: 'quotes: single quotes as delimiters',
    textOf: items((at) => `{'id':${at},'title':'entry'},`),
  },
  { name: 'quotes: unescaped inside content', textOf: content('say "hello" to ') },
  {
    name: 'commas: trailing in each object',
    textOf: items((at) => `{"id":${at},"title":"entry",},`),
  },
  { name: 'commas: nothing between them', textOf: repeated('{"items":[', () => ',', ']}') },
  { name: 'backslashes: unknown escapes', textOf: content('\\d+\\.\\w ') },
  { name: 'backslashes: cut inside', textOf: repeated('{"content":"', () => '\\\\', '') },
  { name: 'brackets: surplus closers', textOf: repeated('{"items":[', () => ']', ']}') },
  { name: 'brackets: too deep', textOf: repeated('{"items":', () => '[', '}') },
  { name: 'brackets: missing everywhere', textOf: items((at) => `{"id":${at},"title":"entry",`) },
  { name: 'braces around words', textOf: repeated('', () => 'so { I think } ', '{"items":[]}') },
  {
    name: 'fences and tags around the call',
    textOf: repeated('', () => '<think>``` ', '{"items":[]}'),
  },
  { name: 'comments', textOf: items((at) => `{"id":${at}/* a */,"title":"entry"}, // b\n`) },
  { name: 'comments: none ends', textOf: repeated('{"items":[', () => '/* ', ']}') },
  { name: 'near-keys in each object', textOf: items((at) => `{"Id":${at},"TITLE":"entry"},`) },
  {
    name: 'near-keys: many spellings in one',
    textOf: repeated('{', (at) => `"con_tent${at}":1,`, '"items":[]}'),
  },
  { name: 'duplicate keys', textOf: repeated('{', () => '"content":"x",', '"content":"x"}') },
  {
    name: 'stringified list',
    textOf: repeated(
      '{"items":"[',
      () => '{\\"id\\":1,\\"title\\":\\"a\\"},',
      '{\\"id\\":2,\\"title\\":\\"b\\"}]"}',
    ),
  },
  {
    name: 'stringified objects in a list',
    textOf: items((at) => `"{\\"id\\":${at},\\"title\\":\\"entry\\"}",`),
  },
  { name: 'stringified list that is none', textOf: repeated('{"items":"', () => '[{', '"}') },
  {
    name: 'failing places: numbers as text',
    textOf: items((at) => `{"id":"${at}","title":"entry"},`),
  },
  {
    name: 'failing places: none can be repaired',
    textOf: items(() => '{"id":"many","title":"entry"},'),
  },
  {
    name: 'failing places: wrong everywhere',
    textOf: repeated('{"numbers":[', () => 'null,', 'null]}'),
  },
];
