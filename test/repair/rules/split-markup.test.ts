import { interpretArguments } from 'toolmend';
import { testRule } from '../rule-case.ts';
import { closedOf, objectOf, orNull, text, texts, whole } from '../../schemas.ts';

const schema = closedOf({ file: text, pattern: text, limit: whole, tags: texts }, [
  'file',
  'pattern',
]);
const meant = { file: 'a.log', pattern: 'error' };
const glm = 'a.log</arg_value><arg_key>pattern</arg_key><arg_value>error';

testRule('split_markup', {
  untouched: [
    ['a call with markup in a value', schema, { file: glm, pattern: 'x' }],
    ['an optional parameter in the markup', closedOf({ file: text, pattern: text }), { file: glm }],
  ],
  repaired: [
    ['GLM, the last value ends with the text', schema, { file: glm }, meant],
    ['GLM, closed', schema, { file: `${glm}</arg_value>\n</tool_call>` }, meant],
    [
      'GLM with line breaks between the tags',
      schema,
      { file: 'a.log</arg_value>\n<arg_key>pattern</arg_key>\n<arg_value>error\n' },
      { file: 'a.log', pattern: 'error\n' },
    ],
    [
      'three parameters, one of them a number',
      schema,
      { file: `${glm}</arg_value><arg_key>limit</arg_key><arg_value>5` },
      { ...meant, limit: 5 },
      'split_markup, text_to_integer /limit',
    ],
    [
      'beside a parameter that was sent',
      schema,
      { tags: ['a', 'b'], file: glm },
      { ...meant, tags: ['a', 'b'] },
    ],
    [
      'Qwen, whose tags have their own lines',
      schema,
      { file: 'a.log\n</parameter>\n<parameter=pattern>\n two\n\n</parameter>\n</function>' },
      { file: 'a.log', pattern: ' two\n' },
    ],
    [
      'Claude',
      schema,
      { file: 'a.log</parameter>\n<parameter name="pattern">error</parameter></invoke>' },
      meant,
    ],
    [
      'a tag of HTML in another value',
      schema,
      { file: glm, tags: ['</b>'] },
      { ...meant, tags: ['</b>'] },
    ],
  ],
  refused: [
    [
      'an undeclared parameter',
      schema,
      { file: `${glm}</arg_value><arg_key>other</arg_key><arg_value>x` },
      'required',
    ],
    [
      'a parameter twice',
      schema,
      { file: `${glm}</arg_value><arg_key>pattern</arg_key><arg_value>x` },
      'required',
    ],
    [
      'a parameter that was sent',
      schema,
      { file: `${glm}</arg_value><arg_key>limit</arg_key><arg_value>5`, limit: 5 },
      'required',
    ],
    [
      'itself again',
      schema,
      { file: `${glm}</arg_value><arg_key>file</arg_key><arg_value>b.log` },
      'required',
    ],
    [
      'a value that is not closed before the next key',
      schema,
      { file: `${glm}<arg_key>limit</arg_key><arg_value>5</arg_value>` },
      'required',
    ],
    ['words between the parameters', schema, { file: `a.log</arg_value> and ${glm}` }, 'required'],
    ['words behind them', schema, { file: `${glm}</arg_value> as you said` }, 'required'],
    ['a key without a value', schema, { file: 'a.log</arg_value><arg_key>pattern' }, 'required'],
    ['a closing tag alone', schema, { file: 'a.log</arg_value>' }, 'required'],
    [
      'tags of two notations',
      schema,
      { file: 'a.log</arg_value><parameter=pattern>error</parameter>' },
      'required',
    ],
    [
      'markup that starts the value',
      schema,
      { file: '</arg_value><arg_key>pattern</arg_key><arg_value>error</arg_value>' },
      'required',
    ],
    [
      'two values with markup',
      closedOf({ a: text, b: text, pattern: text }, ['pattern']),
      { a: glm, b: glm },
      'required',
    ],
    [
      'what may be a number or text',
      closedOf({ file: text, pattern: { type: ['string', 'integer'] } }, ['pattern']),
      { file: 'a.log</arg_value><arg_key>pattern</arg_key><arg_value>5' },
      'required',
    ],
    [
      'what may be null or text',
      closedOf({ file: text, pattern: orNull(text) }, ['pattern']),
      { file: 'a.log</arg_value><arg_key>pattern</arg_key><arg_value>null' },
      'required',
    ],
    [
      'a verbatim value',
      closedOf({ file: { ...text, 'x-toolmend': { verbatim: true } }, pattern: text }, ['pattern']),
      { file: glm },
      'required',
    ],
    [
      'a number whose digits would be lost',
      objectOf({ file: text, pattern: text, ratio: { type: 'number' } }, ['pattern']),
      { file: glm, ratio: 1.5 },
      'required',
    ],
    [
      'a key that would have to be renamed, too',
      schema,
      { File: glm },
      'required, required, additionalProperties',
    ],
    [
      'a required parameter that is still absent',
      closedOf({ file: text, pattern: text, mode: text }, ['file', 'pattern', 'mode']),
      { file: glm },
      'required, required',
    ],
  ],
});

test('no default is filled in beside it', () => {
  const withDefault = closedOf({ file: text, pattern: text, mode: { ...text, default: 'a' } }, [
    'file',
    'pattern',
    'mode',
  ]);
  expect(interpretArguments(withDefault, { value: { file: glm } }).status).toBe('rejected');
});

test('a destructive tool has it confirmed', () => {
  const tool = { effects: 'destructive' } as const;
  expect(interpretArguments(schema, { value: { file: glm } }, { tool })).toMatchObject({
    status: 'rejected',
    issues: [{ keyword: 'not_confirmed' }],
  });
});

test('the last value of a cut answer may be cut', () => {
  const read = (finishReason: string) =>
    interpretArguments(schema, { value: { file: glm } }, { finishReason }).status;
  const readText = (finishReason: string) =>
    interpretArguments(schema, { text: JSON.stringify({ file: glm }) }, { finishReason });
  expect([read('stop'), read('length')]).toEqual(['repaired', 'rejected']);
  expect(readText('stop').status).toBe('repaired');
  expect(readText('length')).toMatchObject({
    status: 'rejected',
    issues: [{ keyword: 'truncated' }],
  });
});
