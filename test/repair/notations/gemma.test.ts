import { testNotation } from './notation-case.ts';

testNotation('gemma', {
  template:
    '<|tool_call>call:get_weather{location:<|"|>Paris, "FR"<|"|>,days:3,alerts:true,tags:[<|"|>a<|"|>,<|"|>b<|"|>],filter:{max:1.5}}<tool_call|>',
  read: [
    [
      'FunctionGemma',
      '<start_function_call>call:get_weather{location:<escape>Paris<escape>,days:3}<end_function_call>',
      { location: 'Paris', days: 3 },
    ],
    [
      'braces inside a string',
      '<|tool_call>call:get_weather{location:<|"|>{a}, [b<|"|>}<tool_call|>',
      { location: '{a}, [b' },
    ],
    [
      'line breaks and backslashes',
      '<|tool_call>call:get_weather{location:<|"|>a\nb\\n<|"|>}<tool_call|>',
      { location: 'a\nb\\n' },
    ],
    ['JSON’s quotes', '<|tool_call>call:get_weather{"location":"Paris"}<tool_call|>', { location: 'Paris' }],
    [
      'an envelope',
      '<|tool_call>call:{"name": "get_weather", "arguments": {"location": "Paris"}}<tool_call|>',
      { location: 'Paris' },
    ],
    ['no tags', 'call:get_weather{location:<|"|>Paris<|"|>}', { location: 'Paris' }],
  ],
  refused: [
    ['a string that isn’t closed', '<|tool_call>call:get_weather{location:<|"|>Paris}<tool_call|>'],
    ['a call that was cut', '<|tool_call>call:get_weather{location:<|"|>Paris<|"|>,days:5'],
    ['words behind', '<|tool_call>call:get_weather{location:<|"|>Paris<|"|>} and more<tool_call|>'],
  ],
  notExpressed: [{ note: '<|"|>' }, { 'a b': 'x' }],
});
