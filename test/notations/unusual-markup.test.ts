// Markup that no chat template writes: what servers left of it, what agents' prompts ask for, and
// what only looks like a call.
import { CallReader, readCalls } from 'toolmend';
import { closedOf, text, whole } from '../schemas.ts';

const tools = [
  { name: 'search', inputSchema: closedOf({ q: text, limit: whole }, ['q']) },
  { name: 'save_file', inputSchema: closedOf({ path: text, content: text }, ['path', 'content']) },
  { name: 'open_note', inputSchema: { type: 'object', properties: { title: text } } },
  { name: 'wipe', inputSchema: closedOf({ path: text }, ['path']), effects: 'destructive' },
] as const;

/** The calls in a text, which are the same in a stream of its characters; no character is lost. */
function found(answer: string): readonly (readonly [string, unknown])[] {
  const { calls, text: rest } = readCalls(answer, tools);
  const reader = new CallReader(tools);
  const parts = [...Array.from(answer, (part) => reader.add(part)), reader.end()];
  const withoutIds = (all: typeof calls) => all.map(({ id: _id, ...call }) => call);
  expect(withoutIds(parts.flatMap((part) => part.calls))).toEqual(withoutIds(calls));
  expect(parts.map((part) => part.text).join('')).toBe(rest);
  const places = [...new Map(calls.map((call) => [call.start, call])).values()];
  const around = [{ end: 0 }, ...places].map(({ end }, index) =>
    answer.slice(end, places[index]?.start),
  );
  expect(rest).toBe(around.join(''));
  return calls.map((call) => [call.name, JSON.parse(call.arguments)]);
}

type Rows = readonly (readonly [string, string, ReturnType<typeof found>])[];

const a = ['search', { q: 'a' }] as const;
const b = ['search', { q: 'b' }] as const;

describe('Gemma’s calls without their tokens are calls without markup:', () => {
  const call = 'call:search{q:<|"|>a<|"|>}';
  test.each<Rows[number]>([
    ['the whole answer', call, [a]],
    ['several', `Let me look.\n${call}\n${call.replace('a<', 'b<')}`, [a, b]],
    ['with a blank before the colon', call.replace(':', ' : '), [a]],
    ['a remark behind', `${call}\nI look at it.`, [a]],
    ['among words', `Let me look.\n${call}\nSo it goes.\nThe end.`, []],
    ['after a colon', `A call looks like this:\n${call}`, []],
    ['in a log', `Sent.\n${call} 200\nDone.`, []],
    ['with its token', `It looks like this:\n<|tool_call>${call}<tool_call|>`, [a]],
    ['of a destructive tool', 'call:wipe{path:<|"|>a<|"|>}', [['wipe', { path: 'a' }]]],
    ['of a destructive tool, among words', 'Sure.\ncall:wipe{path:<|"|>a<|"|>}', []],
  ])('%s', (_title, answer, calls) => {
    expect(found(answer)).toEqual(calls);
  });
});

describe('a closing tag with a key closes that key’s value:', () => {
  const saved = (ending: string, last = '</parameter>'): string =>
    `<function=save_file><parameter=path>a${ending}<parameter=content>b${last}</function>`;
  test.each<Rows[number]>([
    ['its own', saved('</parameter=path>', '</parameter=content>'), [savedFile('b')]],
    ['without a key', saved('</parameter>'), [savedFile('b')]],
    ['another one’s', saved('</parameter=content>'), []],
    ['another one’s, in a value', saved('</parameter>', '</parameter=path>c</parameter>'), []],
    [
      'another one’s, in quotes',
      saved('</parameter>', ' and "</parameter=path>"</parameter>'),
      [savedFile('b and "</parameter=path>"')],
    ],
  ])('%s', (_title, answer, calls) => {
    expect(found(answer)).toEqual(calls);
  });

  function savedFile(content: string) {
    return ['save_file', { path: 'a', content }] as const;
  }
});

describe('only a template’s words in brackets close a call:', () => {
  const call = '{"name": "search", "arguments": {"q": "a"}}';
  test.each<Rows[number]>([
    ['of Mistral', `[TOOL_CALLS] [${call}][/TOOL_CALLS]`, [a]],
    ['of LM Studio', `[TOOL_REQUEST]\n${call}\n[END_TOOL_REQUEST]`, [a]],
    ['the last one alone', `${call}\n[END_TOOL_REQUEST]`, [a]],
    ['another word', `${call}\n[CANCELLED]`, []],
  ])('%s', (_title, answer, calls) => {
    expect(found(answer)).toEqual(calls);
  });

  test('behind markup, another word stays text', () => {
    const answer = `<tool_call>${call}</tool_call>[CANCELLED]`;
    expect(found(answer)).toEqual([a]);
    expect(readCalls(answer, tools).text).toBe('[CANCELLED]');
    expect(found(answer.replaceAll(call, '{"name": "wipe", "arguments": {"path": "a"}}'))).toEqual(
      [],
    );
  });
});

describe('the declaration of a tool is not a call of it:', () => {
  const declaration =
    '{"name": "open_note", "parameters": {"type": "object", "properties": {"title": {"type": "string"}}}}';
  test.each<Rows[number]>([
    ['the whole answer', declaration, []],
    ['in tags', `<tools>\n${declaration}\n</tools>`, []],
    ['in one tag', `<tool>${declaration}</tool>`, []],
    ['in OpenAI’s form', `[{"type": "function", "function": ${declaration}}]`, []],
    [
      'a call of the tool',
      '{"name": "open_note", "parameters": {"title": "a"}}',
      [['open_note', { title: 'a' }]],
    ],
    [
      'a call with a schema as its arguments',
      declaration.replace('parameters', 'arguments'),
      [['open_note', { type: 'object', properties: { title: { type: 'string' } } }]],
    ],
    [
      'a declaration before a call',
      `<tools>${declaration}</tools>\n<tool_call>{"name": "search", "arguments": {"q": "a"}}</tool_call>`,
      [a],
    ],
  ])('%s', (_title, answer, calls) => {
    expect(found(answer)).toEqual(calls);
  });
});

describe('a change of a file is none of the model’s calls:', () => {
  const call = '<tool_call>{"name": "search", "arguments": {"q": "a"}}</tool_call>';
  const bare = '{"name": "search", "arguments": {"q": "a"}}';
  test.each<Rows[number]>([
    ['the whole answer in a fence', `\`\`\`diff\n-${call}\n+${call}\n\`\`\``, []],
    ['a line that stays', `\`\`\`diff\n ${bare}\n\`\`\``, []],
    ['a patch without a fence', `--- a/x\n+++ b/x\n@@ -1 +1,2 @@ x\n-x\n+${call}\n ${call}`, []],
    ['a call behind it', `@@ -1 +1 @@\n-x\n+${call}\nSo it is.\n${call}`, [a]],
    ['another fence', `\`\`\`json\n${bare}\n\`\`\``, [a]],
    ['two at signs in words', `I ask @@ you.\n${bare}`, [a]],
  ])('%s', (_title, answer, calls) => {
    expect(found(answer)).toEqual(calls);
  });
});
