// Handwritten answers that mention a call and make none. A destructive tool is never called by them. A
// tool that only reads is called where the model's own server would have read the call: its markup
// stands in the answer, whatever the words around it, and nothing shows it as quoted.
import { readFileSync } from 'node:fs';
import { CallReader, readCalls } from 'toolmend';

interface Mention {
  readonly id: string;
  readonly language: string;
  readonly kind: string;
  readonly answer: string;
  /** How many calls the answer has for a tool that only reads. */
  readonly callsOfReadingTool: number;
}

const mentions = readFileSync(new URL('mentions.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Mention => JSON.parse(line));
const inputSchema = {
  type: 'object',
  properties: { path: { type: 'string' } },
  required: ['path'],
  additionalProperties: false,
} as const;
const tool = { name: 'delete_path', inputSchema };
const destructive = [{ ...tool, effects: 'destructive' as const }];
const reading = [{ ...tool, effects: 'read' as const }];

function countInParts(answer: string, tools: typeof destructive | typeof reading): number {
  const reader = new CallReader(tools);
  const parts = (answer.match(/[^]{1,3}/g) ?? []).map((part) => reader.add(part));
  return [...parts, reader.end()].flatMap(({ calls }) => calls).length;
}

test('eleven languages say no, ask and show', () => {
  const languages = new Set(mentions.map(({ language }) => language));

  expect([...languages].toSorted()).toEqual(
    'Chinese English French German Italian Japanese Korean Polish Portuguese Russian Spanish'.split(
      ' ',
    ),
  );
});

test.each(mentions)('$id', ({ answer, callsOfReadingTool }) => {
  expect(readCalls(answer, destructive).calls).toEqual([]);
  expect(countInParts(answer, destructive)).toBe(0);
  expect(readCalls(answer, [tool], { callsInText: 'marked' }).calls).toEqual([]);
  expect(readCalls(answer, reading).calls).toHaveLength(callsOfReadingTool);
  expect(countInParts(answer, reading)).toBe(callsOfReadingTool);
});
