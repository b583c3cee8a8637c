import { testNotation } from './notation-case.ts';

testNotation('kimi', {
  template:
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"location":"Paris, \\"FR\\"","days":3,"alerts":true,"tags":["a","b"],"filter":{"max":1.5}}<|tool_call_end|><|tool_calls_section_end|>',
  read: [
    [
      'the id and the arguments',
      'functions.get_weather:0<|tool_call_argument_begin|>{"location": "Paris"}',
      { location: 'Paris' },
    ],
    [
      'an id without the namespace',
      '<|tool_call_begin|>get_weather:12<|tool_call_argument_begin|>{"location": "Paris"}<|tool_call_end|>',
      { location: 'Paris' },
    ],
    [
      'an id without a name',
      '<|tool_call_begin|>tool_call_1<|tool_call_argument_begin|>{"location": "Paris"}<|tool_call_end|>',
      { location: 'Paris' },
    ],
    ['no token', 'functions.get_weather:0{"location": "Paris"}', { location: 'Paris' }],
  ],
  refused: [
    [
      'two calls in one section',
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"location":"a"}<|tool_call_end|><|tool_call_begin|>functions.get_weather:1<|tool_call_argument_begin|>{"location":"b"}<|tool_call_end|><|tool_calls_section_end|>',
    ],
  ],
  notExpressed: [],
});
