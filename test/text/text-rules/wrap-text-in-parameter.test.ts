import { read } from '../../read.ts';
import { listOf, objectOf, orNull, text, whole } from '../../schemas.ts';
import { testTextRule } from '../text-case.ts';

const schema = objectOf({ query: text }, ['query']);

describe('a JSON string', () => {
  testTextRule('wrap_text_in_parameter', {
    schema,
    untouched: [['an object', '{"query": "weather in Graz"}']],
    repaired: [
      ['for the only parameter', '"weather in Graz"', { query: 'weather in Graz' }],
      ['as it is', '"a\\tb (c) "', { query: 'a\tb (c) ' }],
      ['with a name and a colon inside', '"find query: x"', { query: 'find query: x' }],
    ],
    refused: [
      ['blank text', '"  "', 'type'],
      ['a null word', '"None"', 'type'],
      ['the parameter with its value', '"query: weather"', 'type'],
      ['the parameter and an equals sign', '"Query = weather"', 'type'],
      ['the name of the parameter', '"Query"', 'type'],
      ['the end of a longer text', '" in Graz"', 'type'],
      ['what stands behind a comma', '", Graz"', 'type'],
      ['the end of an object', '"weather"}'],
      ['the end of an object with a list', '"weather"]}'],
      ['a string between control tokens', '<|im_start|>"weather"<|im_end|>'],
      ['a string in a fence', '```\n"weather"\n```'],
      ['a quote at the start', '"\\"weather"', 'type'],
      ['a bracket at the start', '"[weather"', 'type'],
      ['a tag at the start', '"<b>weather"', 'type'],
      ['a part of an object', '"weather\\"}"', 'type'],
      ['a closer without its opener', '"weather)"', 'type'],
      ['a control token', '"weather<|im_end|>"', 'type'],
      ['markup of a call', '"weather</parameter>"', 'type'],
      ['an error', '"Error: no such city"', 'type'],
      ['a refusal', '"I cannot search for that"', 'type'],
      ['a refusal in German', '"Leider kann ich das nicht"', 'type'],
      ['a list of strings', '["weather"]', 'type'],
      ['a number', '5', 'type'],
      ['another quote as delimiter', "'weather'"],
      ['plain text', 'weather in Graz'],
    ],
  });
});

describe('beside optional parameters', () => {
  testTextRule('wrap_text_in_parameter', {
    schema: objectOf({ path: text, limit: whole }, ['path']),
    untouched: [['an object', '{"path": "a"}']],
    repaired: [['text without blanks', '"src/app.ts"', { path: 'src/app.ts' }]],
    refused: [
      ['text with blanks', '"src/app.ts 5"', 'type'],
      ['plain text', 'src/app.ts\nsrc/b.ts'],
    ],
  });
});

describe('code', () => {
  const code = 'import os\nfor name in os.listdir("."):\n    print(name)';

  testTextRule('wrap_text_in_parameter', {
    schema: objectOf({ python_code: text }, ['python_code']),
    untouched: [['an object', '{"python_code": "a"}']],
    repaired: [
      ['of several lines', code, { python_code: code }],
      ['in a JSON string', JSON.stringify(code), { python_code: code }],
      ['of a shell', '#!/bin/sh\nls -la', { python_code: '#!/bin/sh\nls -la' }],
      ['a query', 'SELECT name\nFROM users', { python_code: 'SELECT name\nFROM users' }],
      [
        'a comment that is a sentence',
        '# Print it.\nprint(1)',
        { python_code: '# Print it.\nprint(1)' },
      ],
    ],
    refused: [
      ['of one line', 'print(1)'],
      ['a sentence before it', 'Here is the code:\nprint(1)'],
      ['words before it', 'sure, running it\nprint(1)'],
      ['a sentence behind it', 'print(1)\nThis prints a number.'],
      ['a word behind it', 'print(1)\nDone!'],
      ['a label before it', 'Tool: python\nprint(1)'],
      ['a label with the code', 'Input: print(1)\nprint(2)'],
      ['a sentence in another script', '次のコードを実行します\nprint(1)'],
      ['the parameter and its value', 'python_code: |\n  print(1)'],
      ['the parameter as a variable', 'python_code = 5\nprint(5)'],
      ['code in a fence', 'a\n```python\nprint(1)\n```'],
      ['code whose end is missing', 'x = [\n  1,'],
      ['the end of a longer text', '" in Graz"', 'type'],
      ['what stands behind a comma', '", Graz"', 'type'],
      ['the end of an object', 'a = 1\nb = {"c": "d"}'],
      ['a string', '"""a\nb"""'],
      ['an error', 'Traceback (most recent call last):\n  a'],
      ['an error with a name', 'ValueError: x\n  a'],
      ['a refusal', "I can't run this\nprint(1)"],
      ['a broken object', '{"python_code": a\n b}'],
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
