import { testNotation } from './notation-case.ts';

testNotation('gemma', {
  template:
    '<|tool_call>call:get_sky{city:<|"|>Ulm, "FR"<|"|>,days:3,alerts:true,tags:[<|"|>a<|"|>,<|"|>b<|"|>],filter:{max:1.5}}<tool_call|>',
  read: [
    [
      'FunctionGemma',
      '<start_function_call>call:get_sky{city:<escape>Ulm<escape>,days:3}<end_function_call>',
      { city: 'Ulm', days: 3 },
    ],
    [
      'braces inside',
      '<|tool_call>call:get_sky{city:<|"|>{a}, [b<|"|>}<tool_call|>',
      { city: '{a}, [b' },
    ],
    [
      'line breaks',
      '<|tool_call>call:get_sky{city:<|"|>a\nb\\n<|"|>}<tool_call|>',
      { city: 'a\nb\\n' },
    ],
    ['a key twice', 'call:get_sky{city:<|"|>Ulm<|"|>,city:<|"|>Ulm<|"|>}'],
    ['a token among quotes', `call:get_sky{'city':'<|"|>'}`, { city: '<|"|>' }],
    ['one token in the other', 'call:get_sky{city:<escape><|"|><escape>}', { city: '<|"|>' }],
    ['JSON’s quotes', '<|tool_call>call:get_sky{"city":"Ulm"}<tool_call|>'],
    [
      'an envelope',
      '<|tool_call>call:{"name": "get_sky", "arguments": {"city": "Ulm"}}<tool_call|>',
    ],
    ['no tags', 'call:get_sky{city:<|"|>Ulm<|"|>}'],
  ],
  refused: [
    ['a string that isn’t closed', '<|tool_call>call:get_sky{city:<|"|>Ulm}<tool_call|>'],
    ['a word without quotes', 'call:get_sky{city:Ulm}'],
    ['a call that was cut', '<|tool_call>call:get_sky{city:<|"|>Ulm<|"|>,days:5'],
    ['words behind', '<|tool_call>call:get_sky{city:<|"|>Ulm<|"|>} and more<tool_call|>'],
  ],
  notExpressed: [{ note: '<|"|>' }, { 'a b': 'x' }, { '5a': 'x' }],
});
