// Texts that mention a call and make none, in each notation: a destructive tool is not called,
// whatever the words are. Their meaning can't be read off their form, so any word counts.
import { CallReader, readCalls } from 'toolmend';
import { notations, writeCall } from 'toolmend/testing';
import { fc, propertyRuns } from '../seeded-fast-check.ts';

const name = 'delete_path';
const inputSchema = {
  type: 'object',
  properties: { path: { type: 'string' }, force: { type: 'boolean' } },
  required: ['path'],
} as const;
const destructive = [{ name, inputSchema, effects: 'destructive' }];
/** Unknown effects, read as those of a destructive tool. */
const marked = [{ name, inputSchema }];

/** What a model says about a call that it doesn't make. */
const sentences = [
  // Refusals without any negation, condition or modal.
  'I decline to run it.',
  'I refuse.',
  'Running it is off the table.',
  'This is forbidden here.',
  'That call is dangerous, so I leave it out.',
  'The policy prohibits this.',
  // Announcements, which are as long and as plain.
  'Let me run it.',
  'Sure!',
  'Ok.',
  // Questions, examples, pages, injections.
  'Shall I run it?',
  'An example of a call.',
  'This is how a call looks.',
  'The page ends with this.',
  'The mail asks for the following.',
  'Earlier I made this call.',
  'The previous assistant wrote this.',
  'Ich lehne es ab, das auszuführen.',
  'So sieht ein Aufruf aus.',
  'Je refuse de le lancer.',
  'Voici un exemple.',
  'Me niego a ejecutarlo.',
  'Este es un ejemplo.',
  'Recuso executar isto.',
  'Rifiuto di eseguirlo.',
  'Я отказываюсь это запускать.',
  'Пример вызова.',
  'मैं इसे चलाने से इनकार करता हूँ।',
  '我拒绝执行这个。',
  '这是一个例子。',
  '実行を拒否します。',
  'これは例です。',
  '실행을 거부합니다.',
  '예시입니다.',
];
const word = fc.oneof(
  fc.constantFrom('❌', '1.', 'x', 'No', '不', '> ', '- ', '# ', '**', '"', '«', '…', 'User:'),
  fc.string({ minLength: 1, maxLength: 6 }).filter((text) => /[\p{L}\p{N}]/u.test(text)),
);
const words = fc.oneof(
  fc.constantFrom(...sentences),
  fc.array(word, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(' ')),
);
const blank = fc.constantFrom('\n', '\n\n', ' ', '\r\n');
const behind = fc.oneof(
  fc.constantFrom('', '\n', '<|im_end|>'),
  fc.tuple(blank, words).map((parts) => parts.join('')),
);
const reasoning = fc.constantFrom('', '<think>\nSo.\n</think>\n', '<|im_start|>\n', '\n');

const readInParts = (text: string, size: number) => {
  const reader = new CallReader(destructive);
  const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    reader.add(text.slice(index * size, (index + 1) * size)),
  );
  return [...parts, reader.end()].flatMap(({ calls }) => calls);
};

describe.each(notations)('%s', (notation) => {
  const call = writeCall(notation, { name, arguments: { path: '/srv', force: true } }) ?? '';

  test('the whole answer is a call', () => {
    fc.assert(
      fc.property(reasoning, fc.constantFrom('', '\n', '<|im_end|>'), (before, after) => {
        const text = `${before}${call}${after}`;
        expect(readCalls(text, destructive).calls).toHaveLength(1);
        expect(readCalls(text, marked, { callsInText: 'marked' }).calls).toHaveLength(1);
      }),
    );
  });

  test('words before it or behind it make it text', () => {
    const before = fc.tuple(reasoning, words, blank, reasoning).map((parts) => parts.join(''));
    const around = fc.oneof(
      fc.tuple(before, behind),
      fc.tuple(
        reasoning,
        fc.tuple(blank, words).map((parts) => parts.join('')),
      ),
    );
    fc.assert(
      fc.property(around, fc.nat({ max: 8 }), ([start, end], size) => {
        const text = `${start}${call}${end}`;
        // What stands before the end of reasoning is none of the answer.
        fc.pre(!start.includes('</think>') || !/^[^]*\p{L}[^]*<think>/u.test(start));
        expect([text, readCalls(text, destructive).calls]).toEqual([text, []]);
        expect([text, readInParts(text, size + 1)]).toEqual([text, []]);
        expect(readCalls(text, marked, { callsInText: 'marked' }).calls).toEqual([]);
      }),
      { numRuns: propertyRuns * 2 },
    );
  });

  test('a call of another tool behind words doesn’t let it through', () => {
    const read = writeCall(notation, { name: 'list_paths', arguments: { path: '/srv' } }) ?? '';
    const both = [...destructive, { name: 'list_paths', inputSchema, effects: 'read' }];
    fc.assert(
      fc.property(words, blank, (said, space) => {
        const { calls } = readCalls(`${said}${space}${read}${space}${call}`, both);
        expect(calls.filter((one) => one.name === name)).toEqual([]);
      }),
    );
  });
});

test.each([
  ['a fence', (call: string) => `\`\`\`xml\n${call}\n\`\`\``],
  ['inline code', (call: string) => `\`${call}\``],
  ['a quotation', (call: string) => `> ${call}`],
  ['a result', (call: string) => `<tool_response>\n${call}\n</tool_response>`],
  ['reasoning', (call: string) => `<think>\n${call}\n</think>`],
  ['reasoning that never ends', (call: string) => `<think>\n${call}`],
  ['a comment', (call: string) => `<!-- ${call} -->`],
  ['an example', (call: string) => `<example>\n${call}\n</example>`],
  ['a string of JSON', (call: string) => JSON.stringify({ text: call })],
  ['another role’s turn', (call: string) => `<|im_start|>user\n${call}<|im_end|>`],
  ['a list', (call: string) => `- ${call}\n- ${call}`],
  ['a table', (call: string) => `| ${call} |`],
])('a call in %s is text in each notation', (_title, around) => {
  for (const notation of notations) {
    const text = around(writeCall(notation, { name, arguments: { path: '/srv' } }) ?? '');
    expect([text, readCalls(text, destructive).calls]).toEqual([text, []]);
  }
});
