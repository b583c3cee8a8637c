import { interpretArguments } from 'toolmend';
import { missingAndTwoUnknown, missingAndUnknown, testRule } from '../rule-case.ts';
import { anyOf, closedOf, listOf, objectOf, orNull, text, texts, whole } from '../../schemas.ts';

const read = closedOf({ path: text, limit: whole }, ['path']);
const nullable = objectOf({ path: text, a: orNull(closedOf({ b: text })) });
const toolName = 'drop_tool_name /name, merge_envelope';
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
      [
        'a declared key that holds a call',
        closedOf({ tool_calls: listOf({}) }),
        { tool_calls: [itself] },
      ],
      ['a declared key of that name', closedOf({ input: text }, ['input']), { input: '{"a": 1}' }],
      ['an open object that takes it', objectOf({ path: text }), { arguments: { path: 'a' } }],
    ],
    repaired: [
      ['not an empty object', closedOf({ n: whole }), { n: {} }, {}, 'drop_placeholder /n'],
      [
        'an echo under another key',
        typed,
        { $a: { type: 'int', value: 45 } },
        { type: 'int', value: 45 },
      ],
      ['beside an id', withId, { id: 5, ...itself }, { path: 'a', id: 5 }, toolName],
      ...['arguments', 'args', 'input', 'parameters', 'params', 'kwargs', 'properties'].map(
        (key) => [key, read, { [key]: { path: 'a' } }, { path: 'a' }] as const,
      ),
      ['with its type', read, { type: 'object', properties: { path: 'a' } }, { path: 'a' }],
      ['JSON text', read, { arguments: '{"path": "a"}' }, { path: 'a' }],
      ['a call with a discriminator', branches, { name: 'read_file', arguments: ofA }, ofA],
      ['a call', read, itself, { path: 'a' }],
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
        { $PARAMETERS: { path: 'a' } },
        { '<arguments>': { path: 'a' } },
        { read_file: { path: 'a' } },
        { limit: { path: 'a' } },
        { limit: '{"path": "a"}' },
      ].map((sent) => [JSON.stringify(sent), read, sent, { path: 'a' }] as const),
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
      ].map(
        (input) =>
          [`text: ${JSON.stringify(input)}`, shell, { input }, { command: input }] as const,
      ),
      [
        'a parameter that takes no object, over what fits only in its list',
        closedOf({ texts, text }, ['texts']),
        { texts: { text: 'a' } },
        { texts: ['a'] },
        'keyed_object_to_array /texts',
      ],
    ],
    refused: [
      ['a copied schema', closedOf({ o: objectOf({}) }), { properties: { o: { type: 'object' } } }],
      ['a parameter for an object', nullable, { a: { path: 'a' } }, 'additionalProperties /a'],
      ['what fits in part', read, { arguments: { path: 5, limit: 'x' } }, missingAndUnknown],
      [
        'what may be an echoed schema',
        typed,
        { value: { type: 'integer', value: 45 } },
        'type /value',
      ],
      [
        'another tool’s name',
        read,
        { name: 'delete_file', arguments: { path: 'a' } },
        missingAndTwoUnknown,
      ],
      ...[
        { method: 'tools/list', params: itself },
        { content: 'a', tool_call: itself },
      ].map(
        (sent) =>
          [`beside words: ${JSON.stringify(sent)}`, read, sent, missingAndTwoUnknown] as const,
      ),
      [
        'two calls',
        read,
        { tool_calls: [itself, { ...itself, arguments: {} }] },
        missingAndUnknown,
      ],
      [
        'another tool’s call',
        read,
        { tool_call: { ...itself, name: 'delete_file' } },
        missingAndUnknown,
      ],
      ['a second key', read, { arguments: { path: 'a' }, other: 1 }, missingAndTwoUnknown],
      ['another word', read, { payload$: { path: 'a' } }, missingAndUnknown],
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
      ].map(
        (input) =>
          [`all in ${JSON.stringify(input)}`, shell, { input }, missingAndUnknown] as const,
      ),
      ['a list', read, { arguments: [{ path: 'a' }] }, missingAndUnknown],
      ['text for no parameter', closedOf({}), { input: 'ls' }],
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
