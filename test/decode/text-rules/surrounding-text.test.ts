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
    ['braces inside its strings', 'Now: {"path": "a{b}c"}', { path: 'a{b}c' }, ['surrounding_text']],
  ],
  refused: [
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
