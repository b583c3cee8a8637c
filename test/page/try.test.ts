import { readRecord } from '../../src/cli/read-records.ts';
import { type Draft, draftLink, linkedDraft } from '../../page/draft.ts';
import { type JudgedDraft, judgeDraft } from '../../page/judge-draft.ts';

const schema = {
  type: 'object',
  properties: { paths: { type: 'array', items: { type: 'string' } }, limit: { type: 'integer' } },
  required: ['paths'],
  additionalProperties: false,
};

const draft: Draft = {
  tool: 'ls',
  schema: JSON.stringify(schema),
  call: '{"paths":"[\\"a\\"]"}',
  finishReason: '',
  effects: '',
  form: '',
};

function judged(members: Partial<Draft>): JudgedDraft {
  const verdict = judgeDraft({ ...draft, ...members });
  if (verdict.status === 'no schema') throw new Error(verdict.problem);
  return verdict;
}

test.each([
  ['{"paths":["a"]}', 'valid', '{"paths":["a"]}'],
  ['{"paths":"[\\"a\\"]"}', 'repaired', '{"paths":["a"]}'],
  ['{"paths":["a"],"limit":"many"}', 'rejected', undefined],
])('%s is %s', (call, status, used) => {
  expect(judged({ call })).toMatchObject({ status, sent: call, form: 'arguments' });
  expect(judged({ call }).used).toBe(used);
});

test('a rejected call has the message that the model would read', () => {
  expect(judged({ call: '{"paths":["a"],"limit":"many"}' }).message).toMatch(
    /^ls was not executed\.\n- limit: expected an integer, got the string "many"/,
  );
});

test('an answer with a call is read as one, or as argument text if that is wished', () => {
  const call =
    'I look.\n<tool_call>{"name":"ls","arguments":{"paths":["a"],"limit":"3"}}</tool_call>';
  expect(judged({ call })).toMatchObject({
    form: 'answer',
    status: 'repaired',
    used: '{"paths":["a"],"limit":3}',
    calls: { count: 1, notation: 'json_in_tags' },
  });
  expect(judged({ call, form: 'arguments' })).toMatchObject({ form: 'arguments', sent: call });
});

test('an answer without a call says so', () => {
  expect(judged({ call: 'Nothing to do.', form: 'answer' })).toMatchObject({
    status: 'rejected',
    message: 'The answer has no call of ls.',
  });
});

test.each([
  { name: 'ls', inputSchema: schema },
  { name: 'ls', input_schema: schema },
  { type: 'function', function: { name: 'ls', parameters: schema } },
])('the definition of a tool has its schema and its name: %j', (definition) => {
  const verdict = judged({ tool: '', schema: JSON.stringify(definition), call: '{"limit":1}' });
  expect(verdict.message).toMatch(/^ls was not executed\.\n- paths is missing/);
});

test('effects and the finish reason count', () => {
  const cut = { call: '{"paths":["a"', finishReason: 'length' };
  expect(judged(cut).message).toContain('cut off');
  const word = { call: '{"paths":["a"],"limit":null}' };
  expect(judged({ ...word, effects: 'read' }).status).toBe('repaired');
  expect(judged({ ...word, effects: 'destructive' }).status).toBe('rejected');
});

test.each([
  ['', 'Paste the JSON Schema of a tool, or its definition.'],
  ['{"type":', 'The schema is not JSON: it ends too early in line 1, column 9.'],
  ['{\n  "type": object\n}', 'The schema is not JSON: it has a mistake in line 2, column 11.'],
  ['[]', 'The schema is not a JSON object.'],
])('%j in place of a schema is told', (text, problem) => {
  expect(judgeDraft({ ...draft, schema: text })).toEqual({ status: 'no schema', problem });
});

test('a schema of no object is told', () => {
  const verdict = judgeDraft({ ...draft, schema: '{"type":"string"}' });
  expect(verdict).toMatchObject({
    status: 'no schema',
    problem: expect.stringContaining('object'),
  });
});

test('a test case is a line for toolmend cases, with all digits', () => {
  const number = '12345678901234567890';
  const verdict = judged({
    schema: JSON.stringify({
      ...schema,
      properties: { n: { type: 'number' }, b: { type: 'boolean' } },
      required: [],
    }),
    call: `{"n":${number},"b":true}`,
    effects: 'read',
    finishReason: 'stop',
  });
  expect(verdict.line).toContain(`"value":{"n":${number},"b":true}`);
  expect(readRecord(verdict.line ?? '')).toMatchObject({
    kind: 'calls',
    calls: [
      {
        tool: { name: 'ls', effects: 'read' },
        finishReason: 'stop',
        expectation: { outcome: 'unchanged' },
      },
    ],
  });
});

test('a link has the draft in its fragment, and what is no draft is ignored', async () => {
  const written: Draft = { ...draft, call: 'ü\u{1F600}'.repeat(500), effects: 'write' };
  const link = await draftLink(written, 'https://example.org/page/#/calls?range=7d');
  const { pathname, search, hash } = new URL(link);
  expect([pathname, search]).toEqual(['/page/', '']);
  expect(link.length).toBeLessThan(600);
  expect(await linkedDraft(hash)).toEqual(written);
  for (const fragment of ['#/try', '#/try?draft=', '#/try?draft=abc', '#/try?draft=%00'])
    expect(await linkedDraft(fragment)).toBeUndefined();
});
