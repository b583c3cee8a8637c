import { interpretArguments } from 'toolmend';
import { missingAndTwoUnknown, missingAndUnknown, testRule } from '../rule-case.ts';
import {
  anyOf,
  closedOf,
  listOf,
  number,
  objectOf,
  orNull,
  text,
  texts,
  whole,
} from '../../schemas.ts';

const read = closedOf({ path: text, limit: whole }, ['path']);
const nullable = objectOf({ path: text, a: orNull(closedOf({ b: text })) });
const toolName = ['drop_tool_name /name', 'merge_envelope'];
const withId = closedOf({ path: text, id: whole }, ['path']);
const itself = { name: 'read_file', arguments: { path: 'a' } };
const branches = anyOf(
  closedOf({ name: { const: 'a' }, n: whole }),
  closedOf({ name: { const: 'b' }, m: whole }),
);
const ofA = { name: 'a', n: 1 };
const typed = objectOf({ type: text, value: { type: ['string', 'number'] } }, ['value']);
const shell = closedOf({ command: text }, ['command']);

testRule(
  'unwrap_envelope',
  {
    untouched: [
      {
        title: 'a declared key that holds a call',
        schema: closedOf({ tool_calls: listOf({}) }),
        value: { tool_calls: [itself] },
      },
      {
        title: 'a declared key of that name',
        schema: closedOf({ input: text }, ['input']),
        value: { input: '{"a": 1}' },
      },
      {
        title: 'an open object that takes it',
        schema: objectOf({ path: text }),
        value: { arguments: { path: 'a' } },
      },
    ],
    repaired: [
      {
        title: 'not an empty object',
        schema: closedOf({ n: whole }),
        sent: { n: {} },
        becomes: {},
        repairs: 'drop_placeholder /n',
      },
      {
        title: 'an echo under another key',
        schema: typed,
        sent: { $a: { type: 'int', value: 45 } },
        becomes: { type: 'int', value: 45 },
      },
      {
        title: 'beside an id',
        schema: withId,
        sent: { id: 5, ...itself },
        becomes: { path: 'a', id: 5 },
        repairs: toolName,
      },
      ...['arguments', 'args', 'input', 'parameters', 'params', 'kwargs', 'properties'].map(
        (key) => ({
          title: key,
          schema: read,
          sent: { [key]: { path: 'a' } },
          becomes: { path: 'a' },
        }),
      ),
      {
        title: 'with its type',
        schema: read,
        sent: { type: 'object', properties: { path: 'a' } },
        becomes: { path: 'a' },
      },
      {
        title: 'with what else the schema says',
        schema: read,
        sent: {
          type: 'object',
          properties: { path: 'a' },
          required: ['path'],
          additionalProperties: false,
        },
        becomes: { path: 'a' },
      },
      {
        title: 'JSON text',
        schema: read,
        sent: { arguments: '{"path": "a"}' },
        becomes: { path: 'a' },
      },
      {
        title: 'a call with a discriminator',
        schema: branches,
        sent: { name: 'read_file', arguments: ofA },
        becomes: ofA,
      },
      { title: 'a call', schema: read, sent: itself, becomes: { path: 'a' } },
      ...[
        { id: 5, name: 'read_file', arguments: { path: 'a' } },
        { type: 'object', name: 'read_file', arguments: { path: 'a' } },
        { tool: 'functions.readFile', action_input: { path: 'a' } },
        { function: 'read_file', tool_input: '{"path": "a"}' },
        { jsonrpc: '2.0', method: 'read_file', params: { path: 'a' } },
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: itself },
        { type: 'function', function: { name: 'read_file', arguments: '{"path": "a"}' } },
        { function_call: { name: 'read_file', arguments: '{"path": "a"}' } },
        { functionCall: { id: 'a', name: 'read_file', args: { path: 'a' } } },
        { toolUse: { toolUseId: 'a', name: 'read_file', input: { path: 'a' } } },
        { role: 'assistant', content: null, tool_calls: [{ id: 'a', function: itself }] },
        { function: { name: 'read_file' }, parameters: { path: 'a' } },
        { thought: 'I read it.', action: 'read_file', action_input: { path: 'a' } },
        { $PARAMETERS: { path: 'a' } },
        { '<arguments>': { path: 'a' } },
        { read_file: { path: 'a' } },
        { limit: { path: 'a' } },
        { limit: '{"path": "a"}' },
      ].map((sent) => ({
        title: JSON.stringify(sent),
        schema: read,
        sent,
        becomes: { path: 'a' },
      })),
      ...[
        'ls -l',
        'echo "[a"',
        '"a {b"',
        '`{a}`',
        'x ```json\n{a',
        '```\nls {a\n```',
        `\`\`\`${'a'.repeat(21)}{b`,
        'cat <<<"<tool_call>"',
        '<toolbox>',
        '<x y:invoke name="a">',
        '<|DSML invoke name="a">',
      ].map((input) => ({
        title: `text: ${JSON.stringify(input)}`,
        schema: shell,
        sent: { input },
        becomes: { command: input },
      })),
      {
        title: 'a parameter that takes no object, over what fits only in its list',
        schema: closedOf({ texts, text }, ['texts']),
        sent: { texts: { text: 'a' } },
        becomes: { texts: ['a'] },
        repairs: 'keyed_object_to_array /texts',
      },
    ],
    refused: [
      ...[
        { required: ['other'] },
        { required: 'path' },
        { additionalProperties: true },
        { title: 'read' },
      ].map((more) => ({
        title: `a copied schema with ${JSON.stringify(more)}`,
        schema: read,
        sent: { type: 'object', properties: { path: 'a' }, ...more },
        issues: [
          'required',
          ...[...Object.keys(more), 'type', 'properties'].map(() => 'additionalProperties'),
        ],
      })),
      {
        title: 'a parameter over its value, or over the parameter `value`',
        schema: closedOf({ ratio: number, value: orNull(whole) }),
        sent: { ratio: { value: 5 } },
        issues: 'type /ratio',
      },
      {
        title: 'a copied schema',
        schema: closedOf({ o: objectOf({}) }),
        sent: { properties: { o: { type: 'object' } } },
      },
      {
        title: 'a parameter for an object',
        schema: nullable,
        sent: { a: { path: 'a' } },
        issues: 'additionalProperties /a',
      },
      {
        title: 'what fits in part',
        schema: read,
        sent: { arguments: { path: 5, limit: 'x' } },
        issues: missingAndUnknown,
      },
      {
        title: 'what may be an echoed schema',
        schema: typed,
        sent: { value: { type: 'integer', value: 45 } },
        issues: 'type /value',
      },
      {
        title: 'another tool’s name',
        schema: read,
        sent: { name: 'delete_file', arguments: { path: 'a' } },
        issues: missingAndTwoUnknown,
      },
      ...[
        { method: 'tools/list', params: itself },
        { content: 'a', tool_call: itself },
      ].map((sent) => ({
        title: `beside words: ${JSON.stringify(sent)}`,
        schema: read,
        sent,
        issues: missingAndTwoUnknown,
      })),
      {
        title: 'two calls',
        schema: read,
        sent: { tool_calls: [itself, { ...itself, arguments: {} }] },
        issues: missingAndUnknown,
      },
      {
        title: 'another tool’s call',
        schema: read,
        sent: { tool_call: { ...itself, name: 'delete_file' } },
        issues: missingAndUnknown,
      },
      {
        title: 'a second key',
        schema: read,
        sent: { arguments: { path: 'a' }, other: 1 },
        issues: missingAndTwoUnknown,
      },
      {
        title: 'another word',
        schema: read,
        sent: { payload$: { path: 'a' } },
        issues: missingAndUnknown,
      },
      ...[
        '```json\n{"command": "ls"}\n```',
        '"{\\"command\\": \\"ls\\"}"',
        '<parameter=command>ls</parameter>',
        '<tool_call>{"name": "shell"}</tool_call>',
        ' "{a"',
        '" {a"',
        '"\\"{a',
        '```json\n{a\n```',
        '```\n[a\n```',
        '\n```{a',
        '<tool_call>a',
        ' <function=ls>',
        '<invoke name="a">',
        '<arg_key>a',
        '<x-y:invoke name="a">',
        '<|DSML|invoke name="a">',
        '<｜DSML｜parameter name="a">',
      ].map((input) => ({
        title: `all in ${JSON.stringify(input)}`,
        schema: shell,
        sent: { input },
        issues: missingAndUnknown,
      })),
      {
        title: 'a list',
        schema: read,
        sent: { arguments: [{ path: 'a' }] },
        issues: missingAndUnknown,
      },
      { title: 'text for no parameter', schema: closedOf({}), sent: { input: 'ls' } },
    ],
  },
  { tool: 'read_file' },
);

test.each([
  ['read/file', 'repaired'],
  ['read\\file', 'rejected'],
  ['read_file', 'rejected'],
])('a name that can’t be folded is the same only to the letter: %s', (name, outcome) => {
  const sent = { value: { name, arguments: { path: 'a' } } };
  expect(interpretArguments(read, sent, { tool: 'read/file' }).status).toBe(outcome);
});

test('what a destructive tool’s call came with is confirmed', () => {
  const value = { thought: 'No.', action: 'drop', action_input: { path: 'a' } };
  const tool = { name: 'drop', effects: 'destructive' } as const;
  const { thought: _thought, ...call } = value;
  expect(interpretArguments(read, { value: call }, { tool }).status).toBe('repaired');
  expect(interpretArguments(read, { value }, { tool })).toMatchObject({
    status: 'rejected',
    wouldBe: { path: 'a' },
  });
});
