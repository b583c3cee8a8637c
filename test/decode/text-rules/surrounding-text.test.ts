// Is the one complete object in a text read, and nothing where another brace stands outside it?
import { objectOf, text } from '../../repair/sample-schemas.ts';
import { testTextRule } from '../text-case.ts';

testTextRule({
  schema: objectOf({ path: text }, ['path']),
  untouched: [['words and braces inside a value', '{"path": "see {a} and <b>"}']],
  repaired: [
    ['words before', 'Here are the arguments: {"path": "a"}', { path: 'a' }, ['surrounding_text']],
    ['words behind', '{"path": "a"} Done.', { path: 'a' }, ['surrounding_text']],
    ['reasoning tags', '<think>I read it.</think>\n{"path": "a"}', { path: 'a' }, ['surrounding_text']],
    ['control tokens', '<|tool_call|>{"path": "a"}<|im_end|>', { path: 'a' }, ['surrounding_text']],
    ['tags in brackets', '[TOOL_CALL]{"path": "a"}[/TOOL_CALL]', { path: 'a' }, ['surrounding_text']],
    ['a closing tag', '{"path": "a"}</tool_call>', { path: 'a' }, ['surrounding_text']],
    ['a sentence before', 'The path to read: {"path": "a"}', { path: 'a' }, ['surrounding_text']],
    ['a link behind', '{"path": "a"} [see](x)', { path: 'a' }, ['surrounding_text']],
    ['a heading before', '# Call\n{"path": "a"}\n\nDone.', { path: 'a' }, ['surrounding_text']],
    [
      'a block comment that has ended',
      '/* as\nsaid */ {"path": "a"} so',
      { path: 'a' },
      ['surrounding_text'],
    ],
    ['a star in a sentence', 'Read src/* with {"path": "a"}', { path: 'a' }, ['surrounding_text']],
    ['a comment on a line of its own', '// as said\n{"path": "a"} so', { path: 'a' }, ['surrounding_text']],
    ['a heading behind', 'So: {"path": "a"}\n# Done', { path: 'a' }, ['surrounding_text']],
    ['an address before', 'As in http://x.org/#b {"path": "a"}', { path: 'a' }, ['surrounding_text']],
    ['braces inside its strings', 'Now: {"path": "a{b}c"}', { path: 'a{b}c' }, ['surrounding_text']],
  ],
  refused: [
    ...['// ', '# ', '/* ', '  /* old:\n', 'As said:\n  // '].map(
      (start) => [`commented out by ${JSON.stringify(start)}`, `${start}{"path": "a"}`, 'not_json'] as const,
    ),
    ['a quote before', '"{"path": "a"} and', 'not_json'],
    ['a single quote before', '\'{"path": "a"} and', 'not_json'],
    ['a backslash before', '\\{"path": "a"} and', 'not_json'],
    ['a comma before', '1, {"path": "a"} and', 'not_json'],
    ['a key in single quotes before', '\'to\' : {"path": "a"} and', 'not_json'],
    ['a list with blanks before', '[ ] {"path": "a"}', 'not_json'],
    ['a key in a schema before', '$to_2 : {"path": "a"} and', 'not_json'],
    ...['"', "'", ']', '}', ':', '\\', '["a"]', '[ ]', '[1]', '[-1]', '[[1]]', '[{'].map(
      (rest) => [`${rest} behind`, `so {"path": "a"} ${rest}`, 'not_json'] as const,
    ),
    ['two objects', 'First {"path": "a"} then {"path": "b"}', 'not_json'],
    ['an open brace behind', '{"path": "a"} and {', 'not_json'],
    ['an object that was cut', 'Now: {"path": "a"', 'not_json'],
    ['an object that is loosely written', "Now: {path: 'a'}", 'not_json'],
    ['an object in a list', '[1, {"path": "a"}]', 'type'],
    ['an object in a cut list', '[{"path": "a"}, ', 'truncated'],
    ['an object that a key stands before', '"arguments": {"path": "a"}', 'not_json'],
    ['an object in an object that was cut', '{"input": {"path": "a"}', 'truncated'],
    ['an object that a bare key stands before', 'target: {"path": "a"}', 'not_json'],
    ['a list behind', '{"path": "a"} ["b"]', 'not_json'],
    ['an empty list before', '[] {"path": "a"}', 'not_json'],
    ['a value behind a comma', '{"path": "a"}, "limit": 5', 'not_json'],
    ['words alone', 'I cannot do that.', 'not_json'],
  ],
});
