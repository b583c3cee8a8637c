import { testNotation } from './notation-case.ts';

const call = '{"name": "get_sky", "arguments": {"city": "Ulm"}}';

testNotation('json_in_tags', {
  template:
    '<tool_call>\n{"name":"get_sky","arguments":{"city":"Ulm, \\"FR\\"","days":3,"alerts":true,"tags":["a","b"],"filter":{"max":1.5}}}\n</tool_call>',
  read: [
    {
      title: 'a tag for one tool',
      text: '<tool>{"name": "get_sky", "arguments": {"city": "Ulm"}}</tool>',
    },
    {
      title: 'the name on a line before the arguments',
      text: '<tool_call>get_sky\n{"city": "Ulm"}\n</tool_call>',
    },
    {
      title: 'an element for the name and one for the arguments',
      text: '<tool_use>\n  <name>get_sky</name>\n  <arguments>{"city": "Ulm"}</arguments>\n</tool_use>',
    },
    {
      title: 'such elements without an end of the arguments',
      text: '<tool_use><name>get_sky</name><arguments>{"city": "Ulm"}\n</tool_use>',
    },
    {
      title: 'such elements in two tags, with other words',
      text: '<tool_calls>\n<tool_call><tool_name>get_sky</tool_name>\n<parameters>\n{"city": "Ulm"}\n</parameters>\n</tool_call>\n</tool_calls>',
    },
    {
      title: 'Llama 3.1',
      text: '<|python_tag|>{"name": "get_sky", "parameters": {"city": "Ulm"}}<|eom_id|>',
    },
    { title: 'Granite 3', text: `<|tool_call|>[${call}]` },
    {
      title: 'Granite 3 with a space and an end of text',
      text: `<|tool_call|> [${call}]<|end_of_text|>`,
    },
    { title: 'Phi-4-mini', text: `<|tool_call|>[${call}]<|/tool_call|>` },
    { title: 'Functionary', text: `functools[${call}]` },
    {
      title: 'Mistral 7B',
      text: '[TOOL_CALLS] [{"name": "get_sky", "arguments": {"city": "Ulm"}, "id": "abcdefghi"}]</s>',
    },
    { title: 'Gemma’s tags', text: `<|tool_call>${call}<tool_call|>` },
    { title: 'MiniMax-M1', text: `<tool_calls>\n${call}\n</tool_calls>` },
    { title: 'an older tag', text: `<function_call>${call}</function_call>` },
    { title: 'the name on a line, without tags', text: 'get_sky\n{"city": "Ulm"}' },
    { title: 'keys without quotes behind the name', text: '<tool>get_sky {city: "Ulm"}</tool>' },
    { title: 'Nemotron', text: `<TOOLCALL>[${call}]</TOOLCALL>` },
    { title: 'InternLM2', text: `<|action_start|><|plugin|>\n${call}<|action_end|>` },
    { title: 'LongCat', text: `<longcat_tool_call>${call}</longcat_tool_call>` },
    { title: 'Qwen2.5-Coder', text: `<tools>${call}</tools>` },
    { title: 'the arguments alone', text: '<tool_call>{"city": "Ulm"}</tool_call>' },
    {
      title: 'a list as JSON text',
      text: '<tool_call>" \\n[{\\"city\\": \\"Ulm\\"}]"</tool_call>',
    },
    {
      title: 'the arguments as JSON text',
      text: '<tool_call>"{\\"city\\": \\"Ulm\\"}"</tool_call>',
    },
    {
      title: 'arguments that are JSON text',
      text: '<tool_call>{"name": "get_sky", "arguments": "{\\"city\\": \\"Ulm\\"}"}</tool_call>',
    },
    {
      title: 'OpenAI’s nesting',
      text: `<tool_call>{"type": "function", "function": ${call}}</tool_call>`,
    },
    {
      title: 'another spelling of the name',
      text: '<tool_call>{"tool": "functions.getSky", "params": {"city": "Ulm"}}</tool_call>',
    },
    {
      title: 'a Python dict',
      text: "<tool_call>{'name': 'get_sky', 'arguments': {'city': 'Ulm', 'alerts': True}}</tool_call>",
      becomes: { city: 'Ulm', alerts: true },
    },
    { title: 'a comment behind the call', text: `<tool_call>${call}</tool_call>\n<!-- done -->` },
    { title: 'a comment before it', text: `<!-- the output -->\n<tool_call>${call}</tool_call>` },
    { title: 'blanks behind it', text: `<tool_call>${call}</tool_call> \n` },
    { title: 'a broken closing tag', text: `<tool_call>${call}</tool_call` },
    { title: 'another closing tag', text: `<tool_call>${call}</a>` },
    { title: 'a call without its closing tag', text: `<tool_call>\n${call}` },
    {
      title: 'a call as a string’s content',
      text: '<tool_call>{"city": "<tool_call>{\\"name\\": \\"x\\"}</tool_call>"}</tool_call>',
      becomes: { city: '<tool_call>{"name": "x"}</tool_call>' },
    },
  ],
  refused: [
    {
      title: 'another name on a line before the arguments',
      text: '<tool_call>set_sky\n{"city": "Ulm"}\n</tool_call>',
    },
    {
      title: 'an element with another name',
      text: '<tool_use><name>set_sky</name><arguments>{"city": "Ulm"}</arguments></tool_use>',
    },
    {
      title: 'two elements for the arguments',
      text: '<tool_use><name>get_sky</name><arguments>{"city": "Ulm"}</arguments><arguments>{"city": "Graz"}</arguments></tool_use>',
    },
    {
      title: 'two calls in elements',
      text: '<tool_use><name>get_sky</name><arguments>{"city": "Ulm"}</arguments><name>get_sky</name><arguments>{"city": "Graz"}</arguments></tool_use>',
    },
    { title: 'a call in reasoning', text: `<tool_call>${call}</tool_call></think>` },
    { title: 'a call in a result', text: `<|tool_response|><tool_call>${call}</tool_call>` },
    { title: 'two calls in one list', text: `[TOOL_CALLS] [${call}, ${call}]` },
    {
      title: 'two calls in one tag',
      text: `<tool_call>${call}\n{"name": "get_sky", "arguments": {"city": "Graz"}}</tool_call>`,
    },
    { title: 'nothing but a name', text: '<tool_call>get_sky\n</tool_call>' },
    { title: 'a second call that was cut', text: `<tool_call>${call}</tool_call><tool_call>` },
  ],
  notExpressed: [],
});
