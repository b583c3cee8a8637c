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
    { title: 'a call with markup in a value', schema, value: { file: glm, pattern: 'x' } },
    {
      title: 'an optional parameter in the markup',
      schema: closedOf({ file: text, pattern: text }),
      value: { file: glm },
    },
  ],
  repaired: [
    {
      title: 'GLM, the last value ends with the text',
      schema,
      sent: { file: glm },
      becomes: meant,
    },
    {
      title: 'GLM, closed',
      schema,
      sent: { file: `${glm}</arg_value>\n</tool_call>` },
      becomes: meant,
    },
    {
      title: 'GLM with line breaks between the tags',
      schema,
      sent: { file: 'a.log</arg_value>\n<arg_key>pattern</arg_key>\n<arg_value>error\n' },
      becomes: { file: 'a.log', pattern: 'error\n' },
    },
    {
      title: 'three parameters, one of them a number',
      schema,
      sent: { file: `${glm}</arg_value><arg_key>limit</arg_key><arg_value>5` },
      becomes: { ...meant, limit: 5 },
      repairs: ['split_markup', 'text_to_integer /limit'],
    },
    {
      title: 'beside a parameter that was sent',
      schema,
      sent: { tags: ['a', 'b'], file: glm },
      becomes: { ...meant, tags: ['a', 'b'] },
    },
    {
      title: 'Qwen, whose tags have their own lines',
      schema,
      sent: { file: 'a.log\n</parameter>\n<parameter=pattern>\n two\n\n</parameter>\n</function>' },
      becomes: { file: 'a.log', pattern: ' two\n' },
    },
    {
      title: 'Claude',
      schema,
      sent: { file: 'a.log</parameter>\n<parameter name="pattern">error</parameter></invoke>' },
      becomes: meant,
    },
    {
      title: 'a tag of HTML in another value',
      schema,
      sent: { file: glm, tags: ['</b>'] },
      becomes: { ...meant, tags: ['</b>'] },
    },
  ],
  refused: [
    {
      title: 'an undeclared parameter',
      schema,
      sent: { file: `${glm}</arg_value><arg_key>other</arg_key><arg_value>x` },
      issues: 'required',
    },
    {
      title: 'a parameter twice',
      schema,
      sent: { file: `${glm}</arg_value><arg_key>pattern</arg_key><arg_value>x` },
      issues: 'required',
    },
    {
      title: 'a parameter that was sent',
      schema,
      sent: { file: `${glm}</arg_value><arg_key>limit</arg_key><arg_value>5`, limit: 5 },
      issues: 'required',
    },
    {
      title: 'itself again',
      schema,
      sent: { file: `${glm}</arg_value><arg_key>file</arg_key><arg_value>b.log` },
      issues: 'required',
    },
    {
      title: 'a value that is not closed before the next key',
      schema,
      sent: { file: `${glm}<arg_key>limit</arg_key><arg_value>5</arg_value>` },
      issues: 'required',
    },
    {
      title: 'words between the parameters',
      schema,
      sent: { file: `a.log</arg_value> and ${glm}` },
      issues: 'required',
    },
    {
      title: 'words behind them',
      schema,
      sent: { file: `${glm}</arg_value> as you said` },
      issues: 'required',
    },
    {
      title: 'a key without a value',
      schema,
      sent: { file: 'a.log</arg_value><arg_key>pattern' },
      issues: 'required',
    },
    {
      title: 'a closing tag alone',
      schema,
      sent: { file: 'a.log</arg_value>' },
      issues: 'required',
    },
    {
      title: 'tags of two notations',
      schema,
      sent: { file: 'a.log</arg_value><parameter=pattern>error</parameter>' },
      issues: 'required',
    },
    {
      title: 'markup that starts the value',
      schema,
      sent: { file: '</arg_value><arg_key>pattern</arg_key><arg_value>error</arg_value>' },
      issues: 'required',
    },
    {
      title: 'two values with markup',
      schema: closedOf({ a: text, b: text, pattern: text }, ['pattern']),
      sent: { a: glm, b: glm },
      issues: 'required',
    },
    {
      title: 'what may be a number or text',
      schema: closedOf({ file: text, pattern: { type: ['string', 'integer'] } }, ['pattern']),
      sent: { file: 'a.log</arg_value><arg_key>pattern</arg_key><arg_value>5' },
      issues: 'required',
    },
    {
      title: 'what may be null or text',
      schema: closedOf({ file: text, pattern: orNull(text) }, ['pattern']),
      sent: { file: 'a.log</arg_value><arg_key>pattern</arg_key><arg_value>null' },
      issues: 'required',
    },
    {
      title: 'a verbatim value',
      schema: closedOf({ file: { ...text, 'x-toolmend': { verbatim: true } }, pattern: text }, [
        'pattern',
      ]),
      sent: { file: glm },
      issues: 'required',
    },
    {
      title: 'a number whose digits would be lost',
      schema: objectOf({ file: text, pattern: text, ratio: { type: 'number' } }, ['pattern']),
      sent: { file: glm, ratio: 1.5 },
      issues: 'required',
    },
    {
      title: 'a key that would have to be renamed, too',
      schema,
      sent: { File: glm },
      issues: ['required', 'required', 'additionalProperties'],
    },
    {
      title: 'a required parameter that is still absent',
      schema: closedOf({ file: text, pattern: text, mode: text }, ['file', 'pattern', 'mode']),
      sent: { file: glm },
      issues: ['required', 'required'],
    },
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
