import { interpretArguments } from 'toolmend';
import { testRule } from '../rule-case.ts';
import { closedOf, objectOf, text } from '../../schemas.ts';

const read = closedOf({ path: text }, ['path']);

testRule(
  'drop_tool_name',
  {
    untouched: [
      { title: 'a declared name', schema: closedOf({ name: text }), value: { name: 'read_file' } },
      {
        title: 'an open object',
        schema: objectOf({ path: text }),
        value: { name: 'read_file', path: 'a' },
      },
    ],
    repaired: [
      ...[
        ...'name function tool tool_name functionName toolName function_name action method'.split(
          ' ',
        ),
        ...'recipient_name'.split(' '),
      ].map((key) => ({
        title: `under ${key}`,
        schema: read,
        sent: { [key]: 'read_file', path: 'a' },
        becomes: { path: 'a' },
        repairs: `/${key}`,
      })),
      {
        title: 'in another spelling',
        schema: read,
        sent: { tool: 'ReadFile', path: 'a' },
        becomes: { path: 'a' },
        repairs: '/tool',
      },
    ],
    refused: [
      {
        title: 'open',
        schema: objectOf({}, [], { maxProperties: 1 }),
        sent: { name: 'read_file', a: '' },
        issues: 'maxProperties',
      },
      { title: 'another tool’s name', schema: read, sent: { name: 'write_file', path: 'a' } },
      { title: 'another key', schema: read, sent: { title: 'read_file', path: 'a' } },
      {
        title: 'below',
        schema: closedOf({ a: read }),
        sent: { a: { name: 'read_file', path: 'a' } },
        issues: 'additionalProperties /a',
      },
      {
        title: 'an open object that fails',
        schema: objectOf({ path: text }, ['path']),
        sent: { name: 'read_file' },
        issues: 'required',
      },
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
