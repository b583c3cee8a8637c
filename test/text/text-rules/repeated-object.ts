import { interpretArguments } from 'toolmend';
import { objectOf, text } from '../../schemas.ts';
import { testTextRule } from '../text-case.ts';

testTextRule('repeated_object', {
  schema: objectOf({ path: text, n: {} }, ['path']),
  untouched: [{ title: 'once', text: '{"path": "a"}' }],
  repaired: [
    { title: 'twice', text: '{"path": "a"}{"path": "a"}', becomes: { path: 'a' } },
    {
      title: 'three times, set apart',
      text: '{"path": "a"}\n{"path": "a"} {"path": "a"}',
      becomes: { path: 'a' },
    },
    {
      title: 'blanks before the first',
      text: '\n {"path": "a"}{"path": "a"}',
      becomes: { path: 'a' },
    },
    { title: 'empty objects before it', text: '{}{ }\n{"path": "a"}\n', becomes: { path: 'a' } },
    {
      title: 'an empty object before a broken one',
      text: ' { }  {"path" "a"}',
      becomes: { path: 'a' },
      rules: ['repeated_object', 'broken_json'],
    },
    {
      title: 'two quotes and a bracket behind it',
      text: '{"path": "a"}"" ]',
      becomes: { path: 'a' },
    },
    {
      title: 'an empty object and a token behind it',
      text: '{"path": "a"} { }<|im_end|>',
      becomes: { path: 'a' },
    },
    {
      title: '{} behind a fence',
      text: '\n~~~\n{"path": "a"}\n~~~\n{}',
      becomes: { path: 'a' },
      rules: ['repeated_object', 'code_fence'],
    },
    {
      title: '} behind a string',
      text: ' "{\\"path\\": \\"\\"}"}',
      becomes: { path: '' },
      rules: ['repeated_object', 'double_encoded'],
    },
    {
      title: 'its own beginning before it',
      text: '{"path": "a {"path": "a b"} ',
      becomes: { path: 'a b' },
    },
    {
      title: 'a longer beginning',
      text: '{"n": {"m"{"n": {"m": "y"}, "path": ""}',
      becomes: { n: { m: 'y' }, path: '' },
    },
  ],
  refused: [
    { title: 'the same in two spellings', text: `{'path': 'a'}{"path": "a"}` },
    { title: 'an empty object before a list of two', text: '{}[{"path": "a"}, {"path": "b"}]' },
    {
      title: 'a key twice inside',
      text: `{'path': 'a', 'path': 'b'}`.repeat(2),
      issue: 'duplicate_key',
    },
    { title: 'empty objects alone where something is required', text: '{}{}', issue: 'required' },
    { title: 'the end of reasoning behind it', text: '{"path": "a"}</think>' },
    {
      title: 'the end of a result behind a string',
      text: '"{\\"path\\": \\"\\"}"</tool_response>',
    },
    { title: 'closing tags alone', text: '</a></b>' },
    { title: 'words behind it and a closing tag', text: '{"path": "a"} {"so"} </a>' },
    {
      title: 'a closing tag behind a string that was cut',
      text: '"{\\"path\\": \\"a\\"}\\"</a>',
      issue: 'truncated',
    },
    {
      title: 'a beginning that ends in a colon',
      text: '{"path": {"path": "a"}',
      issue: 'truncated',
    },
    { title: 'a beginning before two', text: '{"path": "a {"path": "a b"} {"path": "c"}' },
    { title: 'a beginning that is not its own', text: '{"path": "b {"path": "a b"}' },
    { title: 'different objects', text: '{"path": "a"}{"path": "b"}' },
    {
      title: 'a beginning that may hold it',
      text: '{"n": {"n": {"path": "a"}}',
      issue: 'truncated',
    },
  ],
});

describe('a beginning whose blanks differ', () => {
  testTextRule('repeated_object', {
    schema: objectOf({ path: text, n: {} }, ['path']),
    untouched: [{ title: 'once', text: '{"path": "a"}' }],
    repaired: [
      {
        title: 'between members',
        text: '{"path": "a","n": 12{"path": "a", "n": 12}',
        becomes: { path: 'a', n: 12 },
      },
      { title: 'behind the first brace', text: '{ "path"{"path": "a"}', becomes: { path: 'a' } },
      { title: 'behind the second brace', text: '{"path"{\n"path": "a"}', becomes: { path: 'a' } },
      { title: 'around a colon', text: '{"path":"a"{"path" : "a"}', becomes: { path: 'a' } },
    ],
    refused: [
      { title: 'two braces that are all', text: '{{"path": "a"}' },
      { title: 'another value', text: '{"path": "a","n": 12{"path": "a", "n": 13}' },
      { title: 'another blank in a string', text: '{"path": "a b","n": 1{"path": "a  b", "n": 1}' },
      { title: 'its last quote opens a string', text: '{"path": "{"path": "a"}' },
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
