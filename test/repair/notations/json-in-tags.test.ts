import { testNotation } from './notation-case.ts';

testNotation('json_in_tags', {
  template:
    '<tool_call>\n{"name":"get_sky","arguments":{"city":"Paris, \\"FR\\"","days":3,"alerts":true,"tags":["a","b"],"filter":{"max":1.5}}}\n</tool_call>',
  read: [
    ['the name on a line before the arguments', '<tool_call>get_sky\n{"city": "Paris"}\n</tool_call>'],
    ['Llama 3.1', '<|python_tag|>{"name": "get_sky", "parameters": {"city": "Paris"}}<|eom_id|>'],
    ['Granite 3', '<|tool_call|>[{"name": "get_sky", "arguments": {"city": "Paris"}}]'],
    [
      'Granite 3 with a space and an end of text',
      '<|tool_call|> [{"name": "get_sky", "arguments": {"city": "Paris"}}]<|end_of_text|>',
    ],
    ['Phi-4-mini', '<|tool_call|>[{"name": "get_sky", "arguments": {"city": "Paris"}}]<|/tool_call|>'],
    ['Functionary', 'functools[{"name": "get_sky", "arguments": {"city": "Paris"}}]'],
    [
      'Mistral 7B',
      '[TOOL_CALLS] [{"name": "get_sky", "arguments": {"city": "Paris"}, "id": "abcdefghi"}]</s>',
    ],
    ['Gemma’s tags', '<|tool_call>{"name": "get_sky", "arguments": {"city": "Paris"}}<tool_call|>'],
    ['MiniMax-M1', '<tool_calls>\n{"name": "get_sky", "arguments": {"city": "Paris"}}\n</tool_calls>'],
    ['an older tag', '<function_call>{"name": "get_sky", "arguments": {"city": "Paris"}}</function_call>'],
    ['the arguments alone', '<tool_call>{"city": "Paris"}</tool_call>'],
    ['the arguments as JSON text', '<tool_call>"{\\"city\\": \\"Paris\\"}"</tool_call>'],
    [
      'arguments that are JSON text',
      '<tool_call>{"name": "get_sky", "arguments": "{\\"city\\": \\"Paris\\"}"}</tool_call>',
    ],
    [
      'OpenAI’s nesting',
      '<tool_call>{"type": "function", "function": {"name": "get_sky", "arguments": {"city": "Paris"}}}</tool_call>',
    ],
    [
      'another spelling of the name',
      '<tool_call>{"tool": "functions.getSky", "params": {"city": "Paris"}}</tool_call>',
    ],
    [
      'a Python dict',
      "<tool_call>{'name': 'get_sky', 'arguments': {'city': 'Paris', 'alerts': True}}</tool_call>",
      { city: 'Paris', alerts: true },
    ],
    [
      'a comment behind the call',
      '<tool_call>{"name": "get_sky", "arguments": {"city": "Paris"}}</tool_call>\n<!-- done -->',
    ],
    ['a broken closing tag', '<tool_call>{"name": "get_sky", "arguments": {"city": "Paris"}}</tool_call'],
    ['a call without its closing tag', '<tool_call>\n{"name": "get_sky", "arguments": {"city": "Paris"}}'],
    [
      'a call as a string’s content',
      '<tool_call>{"city": "<tool_call>{\\"name\\": \\"x\\"}</tool_call>"}</tool_call>',
      { city: '<tool_call>{"name": "x"}</tool_call>' },
    ],
  ],
  refused: [
    ['another name on a line before the arguments', '<tool_call>set_sky\n{"city": "Paris"}\n</tool_call>'],
    [
      'two calls in one list',
      '[TOOL_CALLS] [{"name": "get_sky", "arguments": {"city": "Paris"}}, {"name": "get_sky", "arguments": {"city": "Paris"}}]',
    ],
    [
      'two calls in one tag',
      '<tool_call>{"name": "get_sky", "arguments": {"city": "Paris"}}\n{"name": "get_sky", "arguments": {"city": "Graz"}}</tool_call>',
    ],
    [
      'a second call that was cut',
      '<tool_call>{"name": "get_sky", "arguments": {"city": "Paris"}}</tool_call><tool_call>',
    ],
  ],
  notExpressed: [],
});
