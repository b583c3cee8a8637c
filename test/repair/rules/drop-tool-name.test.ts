import { interpretArguments } from 'toolmend';
import { testRule } from '../rule-case.ts';
import { closedOf, objectOf, text } from '../../schemas.ts';

const read = closedOf({ path: text }, ['path']);

testRule(
  'drop_tool_name',
  {
    untouched: [
      ['a declared name', closedOf({ name: text }), { name: 'read_file' }],
      ['an open object', objectOf({ path: text }), { name: 'read_file', path: 'a' }],
    ],
    repaired: [
      ...[
        ...'name function tool tool_name functionName toolName function_name action method'.split(
          ' ',
        ),
        ...'recipient_name'.split(' '),
      ].map(
        (key) =>
          [
            `under ${key}`,
            read,
            { [key]: 'read_file', path: 'a' },
            { path: 'a' },
            `/${key}`,
          ] as const,
      ),
      ['in another spelling', read, { tool: 'ReadFile', path: 'a' }, { path: 'a' }, '/tool'],
    ],
    refused: [
      [
        'open',
        objectOf({}, [], { maxProperties: 1 }),
        { name: 'read_file', a: '' },
        'maxProperties',
      ],
      ['another tool’s name', read, { name: 'write_file', path: 'a' }],
      ['another key', read, { title: 'read_file', path: 'a' }],
      [
        'below',
        closedOf({ a: read }),
        { a: { name: 'read_file', path: 'a' } },
        'additionalProperties /a',
      ],
      [
        'an open object that fails',
        objectOf({ path: text }, ['path']),
        { name: 'read_file' },
        'required',
      ],
    ],
  },
  { tool: 'read_file' },
);

test('a spelling of a declared key is renamed instead', () => {
  const schema = closedOf({ Name: text }, ['Name']);
  const result = interpretArguments(schema, { value: { name: 'read' } }, { tool: 'read' });
  expect(result).toMatchObject({ value: { Name: 'read' }, repairs: [{ rule: 'rename_key' }] });
});

test('a tool without a name has none to leave out', () => {
  const result = interpretArguments(read, { value: { name: 'tool', path: 'a' } });
  expect(result.status).toBe('rejected');
});

describe('beside an edit of closers', () => {
  const schema = closedOf({ path: text, to: text });
  const options = { tool: 'read_file', finishReason: 'stop' } as const;

  test('a closed call is left as it is', () => {
    expect(interpretArguments(schema, { text: '{"path":"a"}' }, options).status).toBe('unchanged');
  });

  test.each(['{"name":"read_file"', '{"name":"read_file"]', '{"name":"read_file","path":"a"'])(
    'the name is not left out of %s',
    (sent) => {
      const result = interpretArguments(schema, { text: sent }, options);
      expect(result).toMatchObject({ status: 'rejected', repairs: [] });
    },
  );
});
