import { interpretArguments } from 'toolmend';
import { objectOf, text } from '../../schemas.ts';
import { testTextRule } from '../text-case.ts';

testTextRule('repeated_object', {
  schema: objectOf({ path: text, n: {} }, ['path']),
  untouched: [['once', '{"path": "a"}']],
  repaired: [
    ['twice', '{"path": "a"}{"path": "a"}', { path: 'a' }],
    ['three times, set apart', '{"path": "a"}\n{"path": "a"} {"path": "a"}', { path: 'a' }],
    ['blanks before the first', '\n {"path": "a"}{"path": "a"}', { path: 'a' }],
    ['empty objects before it', '{}{ }\n{"path": "a"}\n', { path: 'a' }],
    [
      'an empty object before a broken one',
      ' { }  {"path" "a"}',
      { path: 'a' },
      'repeated_object, broken_json',
    ],
    ['two quotes and a bracket behind it', '{"path": "a"}"" ]', { path: 'a' }],
    ['an empty object and a token behind it', '{"path": "a"} { }<|im_end|>', { path: 'a' }],
    [
      '{} behind a fence',
      '\n~~~\n{"path": "a"}\n~~~\n{}',
      { path: 'a' },
      'repeated_object, code_fence',
    ],
    [
      '} behind a string',
      ' "{\\"path\\": \\"\\"}"}',
      { path: '' },
      'repeated_object, double_encoded',
    ],
    ['its own beginning before it', '{"path": "a {"path": "a b"} ', { path: 'a b' }],
    ['a longer beginning', '{"n": {"m"{"n": {"m": "y"}, "path": ""}', { n: { m: 'y' }, path: '' }],
  ],
  refused: [
    ['the same in two spellings', `{'path': 'a'}{"path": "a"}`],
    ['an empty object before a list of two', '{}[{"path": "a"}, {"path": "b"}]'],
    ['a key twice inside', `{'path': 'a', 'path': 'b'}`.repeat(2), 'duplicate_key'],
    ['empty objects alone where something is required', '{}{}', 'required'],
    ['the end of reasoning behind it', '{"path": "a"}</think>'],
    ['the end of a result behind a string', '"{\\"path\\": \\"\\"}"</tool_response>'],
    ['closing tags alone', '</a></b>'],
    ['words behind it and a closing tag', '{"path": "a"} {"so"} </a>'],
    ['a closing tag behind a string that was cut', '"{\\"path\\": \\"a\\"}\\"</a>', 'truncated'],
    ['a beginning that ends in a colon', '{"path": {"path": "a"}', 'truncated'],
    ['a beginning before two', '{"path": "a {"path": "a b"} {"path": "c"}'],
    ['a beginning that is not its own', '{"path": "b {"path": "a b"}'],
    ['different objects', '{"path": "a"}{"path": "b"}'],
    ['a beginning that may hold it', '{"n": {"n": {"path": "a"}}', 'truncated'],
  ],
});

describe('a beginning whose blanks differ', () => {
  testTextRule('repeated_object', {
    schema: objectOf({ path: text, n: {} }, ['path']),
    untouched: [['once', '{"path": "a"}']],
    repaired: [
      ['between members', '{"path": "a","n": 12{"path": "a", "n": 12}', { path: 'a', n: 12 }],
      ['behind the first brace', '{ "path"{"path": "a"}', { path: 'a' }],
      ['behind the second brace', '{"path"{\n"path": "a"}', { path: 'a' }],
      ['around a colon', '{"path":"a"{"path" : "a"}', { path: 'a' }],
    ],
    refused: [
      ['two braces that are all', '{{"path": "a"}'],
      ['another value', '{"path": "a","n": 12{"path": "a", "n": 13}'],
      ['another blank in a string', '{"path": "a b","n": 1{"path": "a  b", "n": 1}'],
      ['its last quote opens a string', '{"path": "{"path": "a"}'],
    ],
  });
});

test('debris is refused that may belong to the last string', () => {
  const schema = objectOf({ path: text }, ['path']);
  for (const sent of ['{"path":"echo "}""}', '{"path":"echo [x"}""}'])
    expect(interpretArguments(schema, { text: sent }).status).toBe('rejected');
  expect(interpretArguments(schema, { text: '{"path":"echo"}""}' })).toMatchObject({
    value: { path: 'echo' },
  });
});
