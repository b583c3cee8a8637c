import { testNotation } from './notation-case.ts';

testNotation('kimi', {
  template:
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_sky:0<|tool_call_argument_begin|>{"city":"Ulm, \\"FR\\"","days":3,"alerts":true,"tags":["a","b"],"filter":{"max":1.5}}<|tool_call_end|><|tool_calls_section_end|>',
  read: [
    {
      title: 'the id and the arguments',
      text: 'functions.get_sky:0<|tool_call_argument_begin|>{"city": "Ulm"}',
    },
    {
      title: 'an id without the namespace',
      text: '<|tool_call_begin|>get_sky:12<|tool_call_argument_begin|>{"city": "Ulm"}<|tool_call_end|>',
    },
    {
      title: 'no name',
      text: '<|tool_call_begin|>call_1<|tool_call_argument_begin|>{"city": "Ulm"}<|tool_call_end|>',
    },
    { title: 'no token', text: 'functions.get_sky:0{"city": "Ulm"}' },
  ],
  refused: [
    {
      title: 'two calls in one section',
      text: '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_sky:0<|tool_call_argument_begin|>{"city":"a"}<|tool_call_end|><|tool_call_begin|>functions.get_sky:1<|tool_call_argument_begin|>{"city":"b"}<|tool_call_end|><|tool_calls_section_end|>',
    },
  ],
  notExpressed: [],
});
