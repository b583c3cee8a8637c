import { testNotation } from './notation-case.ts';

const call = '{"name": "get_sky", "arguments": {"city": "Ulm"}}';

testNotation('json_in_tags', {
  template:
    '<tool_call>\n{"name":"get_sky","arguments":{"city":"Ulm, \\"FR\\"","days":3,"alerts":true,"tags":["a","b"],"filter":{"max":1.5}}}\n</tool_call>',
  read: [
    [
      'the name on a line before the arguments',
      '<tool_call>get_sky\n{"city": "Ulm"}\n</tool_call>',
    ],
    ['Llama 3.1', '<|python_tag|>{"name": "get_sky", "parameters": {"city": "Ulm"}}<|eom_id|>'],
    ['Granite 3', `<|tool_call|>[${call}]`],
    ['Granite 3 with a space and an end of text', `<|tool_call|> [${call}]<|end_of_text|>`],
    ['Phi-4-mini', `<|tool_call|>[${call}]<|/tool_call|>`],
    ['Functionary', `functools[${call}]`],
    [
      'Mistral 7B',
      '[TOOL_CALLS] [{"name": "get_sky", "arguments": {"city": "Ulm"}, "id": "abcdefghi"}]</s>',
    ],
    ['Gemma’s tags', `<|tool_call>${call}<tool_call|>`],
    ['MiniMax-M1', `<tool_calls>\n${call}\n</tool_calls>`],
    ['an older tag', `<function_call>${call}</function_call>`],
    ['the name on a line, without tags', 'get_sky\n{"city": "Ulm"}'],
    ['Nemotron', `<TOOLCALL>[${call}]</TOOLCALL>`],
    ['InternLM2', `<|action_start|><|plugin|>\n${call}<|action_end|>`],
    ['LongCat', `<longcat_tool_call>${call}</longcat_tool_call>`],
    ['Qwen2.5-Coder', `<tools>${call}</tools>`],
    ['the arguments alone', '<tool_call>{"city": "Ulm"}</tool_call>'],
    ['a list as JSON text', '<tool_call>" \\n[{\\"city\\": \\"Ulm\\"}]"</tool_call>'],
    ['the arguments as JSON text', '<tool_call>"{\\"city\\": \\"Ulm\\"}"</tool_call>'],
    [
      'arguments that are JSON text',
      '<tool_call>{"name": "get_sky", "arguments": "{\\"city\\": \\"Ulm\\"}"}</tool_call>',
    ],
    ['OpenAI’s nesting', `<tool_call>{"type": "function", "function": ${call}}</tool_call>`],
    [
      'another spelling of the name',
      '<tool_call>{"tool": "functions.getSky", "params": {"city": "Ulm"}}</tool_call>',
    ],
    [
      'a Python dict',
      "<tool_call>{'name': 'get_sky', 'arguments': {'city': 'Ulm', 'alerts': True}}</tool_call>",
      { city: 'Ulm', alerts: true },
    ],
    ['a comment behind the call', `<tool_call>${call}</tool_call>\n<!-- done -->`],
    ['a comment before it', `<!-- the output -->\n<tool_call>${call}</tool_call>`],
    ['blanks behind it', `<tool_call>${call}</tool_call> \n`],
    ['a broken closing tag', `<tool_call>${call}</tool_call`],
    ['another closing tag', `<tool_call>${call}</a>`],
    ['a call without its closing tag', `<tool_call>\n${call}`],
    [
      'a call as a string’s content',
      '<tool_call>{"city": "<tool_call>{\\"name\\": \\"x\\"}</tool_call>"}</tool_call>',
      { city: '<tool_call>{"name": "x"}</tool_call>' },
    ],
  ],
  refused: [
    [
      'another name on a line before the arguments',
      '<tool_call>set_sky\n{"city": "Ulm"}\n</tool_call>',
    ],
    ['a call in reasoning', `<tool_call>${call}</tool_call></think>`],
    ['a call in a result', `<|tool_response|><tool_call>${call}</tool_call>`],
    ['two calls in one list', `[TOOL_CALLS] [${call}, ${call}]`],
    [
      'two calls in one tag',
      `<tool_call>${call}\n{"name": "get_sky", "arguments": {"city": "Graz"}}</tool_call>`,
    ],
    ['nothing but a name', '<tool_call>get_sky\n</tool_call>'],
    ['a second call that was cut', `<tool_call>${call}</tool_call><tool_call>`],
  ],
  notExpressed: [],
});
