import { read } from '../../read.ts';
import { listOf, objectOf, orNull, text, whole } from '../../schemas.ts';
import { testTextRule } from '../text-case.ts';

const schema = objectOf({ query: text }, ['query']);

describe('a JSON string', () => {
  testTextRule('wrap_text_in_parameter', {
    schema,
    untouched: [{ title: 'an object', text: '{"query": "weather in Graz"}' }],
    repaired: [
      {
        title: 'for the only parameter',
        text: '"weather in Graz"',
        becomes: { query: 'weather in Graz' },
      },
      { title: 'as it is', text: '"a\\tb (c) "', becomes: { query: 'a\tb (c) ' } },
      {
        title: 'with a name and a colon inside',
        text: '"find query: x"',
        becomes: { query: 'find query: x' },
      },
    ],
    refused: [
      { title: 'blank text', text: '"  "', issue: 'type' },
      { title: 'a null word', text: '"None"', issue: 'type' },
      { title: 'the parameter with its value', text: '"query: weather"', issue: 'type' },
      { title: 'the parameter and an equals sign', text: '"Query = weather"', issue: 'type' },
      { title: 'the name of the parameter', text: '"Query"', issue: 'type' },
      {
        title: 'a fence among words',
        text: '"Here:\\n```sql\\nSELECT 1\\n```\\nDone"',
        issue: 'type',
      },
      { title: 'a fence of waves', text: '"Here:\\n~~~\\nrm a\\n~~~"', issue: 'type' },
      { title: 'the end of a longer text', text: '" in Graz"', issue: 'type' },
      { title: 'what stands behind a comma', text: '", Graz"', issue: 'type' },
      { title: 'the end of an object', text: '"weather"}' },
      { title: 'the end of an object with a list', text: '"weather"]}' },
      { title: 'a string between control tokens', text: '<|im_start|>"weather"<|im_end|>' },
      { title: 'a string in a fence', text: '```\n"weather"\n```' },
      { title: 'a quote at the start', text: '"\\"weather"', issue: 'type' },
      { title: 'a bracket at the start', text: '"[weather"', issue: 'type' },
      { title: 'a tag at the start', text: '"<b>weather"', issue: 'type' },
      { title: 'a part of an object', text: '"weather\\"}"', issue: 'type' },
      { title: 'a closer without its opener', text: '"weather)"', issue: 'type' },
      { title: 'a control token', text: '"weather<|im_end|>"', issue: 'type' },
      { title: 'markup of a call', text: '"weather</parameter>"', issue: 'type' },
      { title: 'an error', text: '"Error: no such city"', issue: 'type' },
      { title: 'a refusal', text: '"I cannot search for that"', issue: 'type' },
      { title: 'a refusal in German', text: '"Leider kann ich das nicht"', issue: 'type' },
      { title: 'a list of strings', text: '["weather"]', issue: 'type' },
      { title: 'a number', text: '5', issue: 'type' },
      { title: 'another quote as delimiter', text: "'weather'" },
      { title: 'plain text', text: 'weather in Graz' },
    ],
  });
});

describe('beside optional parameters', () => {
  testTextRule('wrap_text_in_parameter', {
    schema: objectOf({ path: text, limit: whole }, ['path']),
    untouched: [{ title: 'an object', text: '{"path": "a"}' }],
    repaired: [
      { title: 'text without blanks', text: '"src/app.ts"', becomes: { path: 'src/app.ts' } },
    ],
    refused: [
      { title: 'text with blanks', text: '"src/app.ts 5"', issue: 'type' },
      { title: 'plain text', text: 'src/app.ts\nsrc/b.ts' },
    ],
  });
});

describe('code', () => {
  const code = 'import os\nfor name in os.listdir("."):\n    print(name)';

  testTextRule('wrap_text_in_parameter', {
    schema: objectOf({ python_code: text }, ['python_code']),
    untouched: [{ title: 'an object', text: '{"python_code": "a"}' }],
    repaired: [
      { title: 'of several lines', text: code, becomes: { python_code: code } },
      { title: 'in a JSON string', text: JSON.stringify(code), becomes: { python_code: code } },
      {
        title: 'of a shell',
        text: '#!/bin/sh\nls -la',
        becomes: { python_code: '#!/bin/sh\nls -la' },
      },
      {
        title: 'a query',
        text: 'SELECT name\nFROM users',
        becomes: { python_code: 'SELECT name\nFROM users' },
      },
      {
        title: 'a comment that is a sentence',
        text: '# Print it.\nprint(1)',
        becomes: { python_code: '# Print it.\nprint(1)' },
      },
    ],
    refused: [
      { title: 'of one line', text: 'print(1)' },
      { title: 'a sentence before it', text: 'Here is the code:\nprint(1)' },
      { title: 'words before it', text: 'sure, running it\nprint(1)' },
      { title: 'a sentence behind it', text: 'print(1)\nThis prints a number.' },
      { title: 'a word behind it', text: 'print(1)\nDone!' },
      { title: 'a label before it', text: 'Tool: python\nprint(1)' },
      { title: 'a label with the code', text: 'Input: print(1)\nprint(2)' },
      { title: 'a sentence in another script', text: '次のコードを実行します\nprint(1)' },
      { title: 'the parameter and its value', text: 'python_code: |\n  print(1)' },
      { title: 'the parameter as a variable', text: 'python_code = 5\nprint(5)' },
      { title: 'code in a fence', text: 'a\n```python\nprint(1)\n```' },
      { title: 'code whose end is missing', text: 'x = [\n  1,' },
      { title: 'the end of a longer text', text: '" in Graz"', issue: 'type' },
      { title: 'what stands behind a comma', text: '", Graz"', issue: 'type' },
      { title: 'the end of an object', text: 'a = 1\nb = {"c": "d"}' },
      { title: 'a string', text: '"""a\nb"""' },
      { title: 'an error', text: 'Traceback (most recent call last):\n  a' },
      { title: 'an error with a name', text: 'ValueError: x\n  a' },
      { title: 'a refusal', text: "I can't run this\nprint(1)" },
      { title: 'a broken object', text: '{"python_code": a\n b}' },
    ],
  });

  test('is nothing else', () => {
    expect(read(objectOf({ body: text }, ['body']), code).status).toBe('rejected');
    expect(read(objectOf({ code: text, n: whole }, ['code']), code).status).toBe('rejected');
    expect(read(objectOf({ code: text }), code).status).toBe('rejected');
  });
});

test.each([
  ['a parameter that is not required', objectOf({ query: text })],
  ['two that are', objectOf({ query: text, city: text }, ['query', 'city'])],
  ['a list', objectOf({ query: listOf(text) }, ['query'])],
  ['what may be null', objectOf({ query: orNull(text) }, ['query'])],
  ['a member of an enum', objectOf({ query: { ...text, enum: ['a'] } }, ['query'])],
])('%s takes no string without a key', (_title, other) => {
  expect(read(other, '"weather"').status).toBe('rejected');
});

test('the model is told, and confirms a destructive call', () => {
  expect(read(schema, '"weather"').notes).toEqual([
    {
      rule: 'wrap_text_in_parameter',
      path: '',
      text: 'The arguments were repaired (wrap_text_in_parameter).',
    },
  ]);
  const destructive = read(schema, '"weather"', { tool: { effects: 'destructive' } });
  expect(destructive).toMatchObject({ status: 'rejected', issues: [{ keyword: 'not_confirmed' }] });
});

test('a cut text is cut', () => {
  const cut = read(objectOf({ code: text }, ['code']), 'a = 1\nb = 2', { finishReason: 'length' });
  expect(cut).toMatchObject({ status: 'rejected', issues: [{ keyword: 'truncated' }] });
});
