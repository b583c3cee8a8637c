import { testNotation } from './notation-case.ts';

testNotation('json_in_tags', {
  template:
    '<tool_call>\n{"name":"get_weather","arguments":{"location":"Paris, \\"FR\\"","days":3,"alerts":true,"tags":["a","b"],"filter":{"max":1.5}}}\n</tool_call>',
  read: [
    [
      'the name on a line before the arguments',
      '<tool_call>get_weather\n{"location": "Paris"}\n</tool_call>',
      { location: 'Paris' },
    ],
    [
      'Llama 3.1',
      '<|python_tag|>{"name": "get_weather", "parameters": {"location": "Paris"}}<|eom_id|>',
      { location: 'Paris' },
    ],
    [
      'Granite 3',
      '<|tool_call|>[{"name": "get_weather", "arguments": {"location": "Paris"}}]',
      { location: 'Paris' },
    ],
    [
      'Granite 3 with a space and an end of text',
      '<|tool_call|> [{"name": "get_weather", "arguments": {"location": "Paris"}}]<|end_of_text|>',
      { location: 'Paris' },
    ],
    [
      'Phi-4-mini',
      '<|tool_call|>[{"name": "get_weather", "arguments": {"location": "Paris"}}]<|/tool_call|>',
      { location: 'Paris' },
    ],
    [
      'Functionary',
      'functools[{"name": "get_weather", "arguments": {"location": "Paris"}}]',
      { location: 'Paris' },
    ],
    [
      'Mistral 7B',
      '[TOOL_CALLS] [{"name": "get_weather", "arguments": {"location": "Paris"}, "id": "abcdefghi"}]</s>',
      { location: 'Paris' },
    ],
    [
      'Gemma’s tags',
      '<|tool_call>{"name": "get_weather", "arguments": {"location": "Paris"}}<tool_call|>',
      { location: 'Paris' },
    ],
    [
      'MiniMax-M1',
      '<tool_calls>\n{"name": "get_weather", "arguments": {"location": "Paris"}}\n</tool_calls>',
      { location: 'Paris' },
    ],
    [
      'an older tag',
      '<function_call>{"name": "get_weather", "arguments": {"location": "Paris"}}</function_call>',
      { location: 'Paris' },
    ],
    ['the arguments alone', '<tool_call>{"location": "Paris"}</tool_call>', { location: 'Paris' }],
    [
      'the arguments as JSON text',
      '<tool_call>"{\\"location\\": \\"Paris\\"}"</tool_call>',
      { location: 'Paris' },
    ],
    [
      'arguments that are JSON text',
      '<tool_call>{"name": "get_weather", "arguments": "{\\"location\\": \\"Paris\\"}"}</tool_call>',
      { location: 'Paris' },
    ],
    [
      'OpenAI’s nesting',
      '<tool_call>{"type": "function", "function": {"name": "get_weather", "arguments": {"location": "Paris"}}}</tool_call>',
      { location: 'Paris' },
    ],
    [
      'another spelling of the name',
      '<tool_call>{"tool": "functions.getWeather", "params": {"location": "Paris"}}</tool_call>',
      { location: 'Paris' },
    ],
    [
      'a Python dict',
      "<tool_call>{'name': 'get_weather', 'arguments': {'location': 'Paris', 'alerts': True}}</tool_call>",
      { location: 'Paris', alerts: true },
    ],
    [
      'a comment behind the call',
      '<tool_call>{"name": "get_weather", "arguments": {"location": "Paris"}}</tool_call>\n<!-- done -->',
      { location: 'Paris' },
    ],
    [
      'a broken closing tag',
      '<tool_call>{"name": "get_weather", "arguments": {"location": "Paris"}}</tool_call',
      { location: 'Paris' },
    ],
    [
      'a call without its closing tag',
      '<tool_call>\n{"name": "get_weather", "arguments": {"location": "Paris"}}',
      { location: 'Paris' },
    ],
    [
      'a call as a string’s content',
      '<tool_call>{"location": "<tool_call>{\\"name\\": \\"x\\"}</tool_call>"}</tool_call>',
      { location: '<tool_call>{"name": "x"}</tool_call>' },
    ],
  ],
  refused: [
    [
      'another name on a line before the arguments',
      '<tool_call>set_weather\n{"location": "Paris"}\n</tool_call>',
    ],
    [
      'two calls in one list',
      '[TOOL_CALLS] [{"name": "get_weather", "arguments": {"location": "Paris"}}, {"name": "get_weather", "arguments": {"location": "Paris"}}]',
    ],
    [
      'two calls in one tag',
      '<tool_call>{"name": "get_weather", "arguments": {"location": "Paris"}}\n{"name": "get_weather", "arguments": {"location": "Graz"}}</tool_call>',
    ],
    [
      'a second call that was cut',
      '<tool_call>{"name": "get_weather", "arguments": {"location": "Paris"}}</tool_call><tool_call>',
    ],
  ],
  notExpressed: [],
});
