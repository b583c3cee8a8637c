// Do arguments that stand one level too deep come out of the envelope, if the tool declares no such key?
import { testRule } from '../rule-case.ts';
import { closedOf, objectOf, text, whole } from '../sample-schemas.ts';

const read = closedOf({ path: text, limit: whole }, ['path']);
const shell = closedOf({ command: text }, ['command']);

testRule(
  {
    untouched: [
      ['a declared key of that name', closedOf({ input: text }, ['input']), { input: '{"a": 1}' }],
      ['an open object that takes it', objectOf({ path: text }), { arguments: { path: 'a' } }],
    ],
    repaired: [
      ...['arguments', 'args', 'input', 'parameters', 'params', 'kwargs', 'properties'].map(
        (key) => [key, read, { [key]: { path: 'a' } }, { path: 'a' }, [['unwrap_envelope', '']]] as const,
      ),
      ['JSON text', read, { arguments: '{"path": "a"}' }, { path: 'a' }, [['unwrap_envelope', '']]],
      [
        'a call',
        read,
        { name: 'read_file', arguments: { path: 'a' } },
        { path: 'a' },
        [['unwrap_envelope', '']],
      ],
      [
        'a call with JSON text',
        read,
        { name: 'read_file', arguments: '{"path": "a"}' },
        { path: 'a' },
        [['unwrap_envelope', '']],
      ],
      [
        'text for the one parameter',
        shell,
        { input: 'ls -l' },
        { command: 'ls -l' },
        [['unwrap_envelope', '']],
      ],
      [
        'repair goes on inside',
        read,
        { arguments: { path: 'a', limit: '5' } },
        { path: 'a', limit: 5 },
        [
          ['unwrap_envelope', ''],
          ['text_to_integer', '/limit'],
        ],
      ],
      [
        'two envelopes',
        read,
        { input: { arguments: { path: 'a' } } },
        { path: 'a' },
        [
          ['unwrap_envelope', ''],
          ['unwrap_envelope', ''],
        ],
      ],
    ],
    refused: [
      [
        'another tool’s name',
        read,
        { name: 'delete_file', arguments: { path: 'a' } },
        [
          ['required', ''],
          ['additionalProperties', ''],
          ['additionalProperties', ''],
        ],
      ],
      [
        'a second key',
        read,
        { arguments: { path: 'a' }, other: 1 },
        [
          ['required', ''],
          ['additionalProperties', ''],
          ['additionalProperties', ''],
        ],
      ],
      [
        'another word',
        read,
        { payload: { path: 'a' } },
        [
          ['required', ''],
          ['additionalProperties', ''],
        ],
      ],
      [
        'what does not fit inside',
        read,
        { arguments: { file: 'a' } },
        [
          ['required', ''],
          ['additionalProperties', ''],
        ],
      ],
      [
        'text for several parameters',
        read,
        { input: 'a' },
        [
          ['required', ''],
          ['additionalProperties', ''],
        ],
      ],
      [
        'text that starts like a container',
        shell,
        { input: '{ls' },
        [
          ['required', ''],
          ['additionalProperties', ''],
        ],
      ],
      [
        'a list',
        read,
        { arguments: [{ path: 'a' }] },
        [
          ['required', ''],
          ['additionalProperties', ''],
        ],
      ],
    ],
  },
  { tool: 'read_file' },
);
