// Whole answers that were reported for other projects, with other words and values: what the calls
// in them are, and that most of what looks like a call is none. They are read at once and in parts.
import { readFileSync } from 'node:fs';
import { CallReader, type CallInText, interpretArguments, readCalls } from 'toolmend';
import { closedOf, objectOf, text, whole } from '../schemas.ts';

interface ReportedAnswer {
  readonly id: string;
  readonly answer: string;
  readonly expect: { readonly calls: readonly { readonly name: string; readonly arguments: object }[] };
}

const answers = readFileSync(new URL('reported-5.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): ReportedAnswer => JSON.parse(line));

const tools = [
  { name: 'read_file', inputSchema: closedOf({ path: text }, ['path']) },
  { name: 'save_file', inputSchema: closedOf({ path: text, content: text }, ['path', 'content']) },
  { name: 'search', inputSchema: closedOf({ q: text, limit: whole }, ['q']) },
  { name: 'list_tasks', inputSchema: closedOf({}) },
  { name: 'open_note', inputSchema: objectOf({ title: text }) },
  { name: 'delete_path', inputSchema: closedOf({ path: text }, ['path']), effects: 'destructive' },
] as const;

/** The calls as their tools get them. */
const callsWithValues = (calls: readonly CallInText[]) =>
  calls.map(({ name, arguments: sent }) => {
    const { inputSchema } = tools.find((tool) => tool.name === name) ?? tools[0];
    const result = interpretArguments(inputSchema, { text: sent }, { tool: name });
    return { name, arguments: result.status === 'rejected' ? result.issues : result.value };
  });

test('a third of the answers has no call', () => {
  const withoutCalls = answers.filter(({ expect: expected }) => expected.calls.length === 0);
  expect(new Set(answers.map(({ id }) => id)).size).toBe(answers.length);
  expect(withoutCalls.length).toBeGreaterThan(answers.length / 3);
});

test.each(answers)('$id', ({ answer, expect: expected }) => {
  const read = readCalls(answer, tools);
  expect(callsWithValues(read.calls)).toEqual(expected.calls);

  const reader = new CallReader(tools);
  const parts = [...(answer.match(/[^]{1,3}/g) ?? []).map((part) => reader.add(part)), reader.end()];
  expect(callsWithValues(parts.flatMap(({ calls }) => calls))).toEqual(expected.calls);
  expect(parts.map((part) => part.text).join('')).toBe(read.text);
});
