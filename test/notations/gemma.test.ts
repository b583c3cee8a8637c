import { testNotation } from './notation-case.ts';

testNotation('gemma', {
  template:
    '<|tool_call>call:get_sky{city:<|"|>Ulm, "FR"<|"|>,days:3,alerts:true,tags:[<|"|>a<|"|>,<|"|>b<|"|>],filter:{max:1.5}}<tool_call|>',
  read: [
    {
      title: 'FunctionGemma',
      text: '<start_function_call>call:get_sky{city:<escape>Ulm<escape>,days:3}<end_function_call>',
      becomes: { city: 'Ulm', days: 3 },
    },
    {
      title: 'braces inside',
      text: '<|tool_call>call:get_sky{city:<|"|>{a}, [b<|"|>}<tool_call|>',
      becomes: { city: '{a}, [b' },
    },
    {
      title: 'line breaks',
      text: '<|tool_call>call:get_sky{city:<|"|>a\nb\\n<|"|>}<tool_call|>',
      becomes: { city: 'a\nb\\n' },
    },
    { title: 'a key twice', text: 'call:get_sky{city:<|"|>Ulm<|"|>,city:<|"|>Ulm<|"|>}' },
    {
      title: 'a token among quotes',
      text: `call:get_sky{'city':'<|"|>'}`,
      becomes: { city: '<|"|>' },
    },
    {
      title: 'one token in the other',
      text: 'call:get_sky{city:<escape><|"|><escape>}',
      becomes: { city: '<|"|>' },
    },
    { title: 'JSON’s quotes', text: '<|tool_call>call:get_sky{"city":"Ulm"}<tool_call|>' },
    {
      title: 'an envelope',
      text: '<|tool_call>call:{"name": "get_sky", "arguments": {"city": "Ulm"}}<tool_call|>',
    },
    {
      title: 'a word that lost its quotes',
      text: '<|tool_call>call:get_sky{city:Ulm,note:<|"|>a<|"|>}<tool_call|>',
      becomes: { city: 'Ulm', note: 'a' },
    },
    { title: 'no tags', text: 'call:get_sky{city:<|"|>Ulm<|"|>}' },
    {
      title: 'equals signs',
      text: `<|tool_call>call:get_sky{city:<|"|>Ulm<|"|>,note='a=b',days=3}<tool_call|>`,
      becomes: { city: 'Ulm', note: 'a=b', days: 3 },
    },
    {
      title: 'parentheses',
      text: '<|tool_call>call:get_sky(city="Ulm", days=3, filter={max:1.5})<tool_call|>',
      becomes: { city: 'Ulm', days: 3, filter: { max: 1.5 } },
    },
    {
      title: 'a parenthesis behind an inner quote',
      text: '<|tool_call>call:get_sky{city:<|"|>f(<|"|>Ulm<|"|>)<|"|>}<tool_call|>',
      becomes: { city: 'f(<|"|>Ulm<|"|>)' },
    },
  ],
  refused: [
    {
      title: 'a string that isn’t closed',
      text: '<|tool_call>call:get_sky{city:<|"|>Ulm}<tool_call|>',
    },
    { title: 'a word without quotes or a tag', text: 'call:get_sky{city:Ulm}' },
    { title: 'an arrow', text: '<|tool_call>call:get_sky{city=>"Ulm"}<tool_call|>' },
    {
      title: 'an argument without a name',
      text: '<|tool_call>call:get_sky("Ulm")<tool_call|>',
    },
    {
      title: 'a brace that closes a parenthesis',
      text: '<|tool_call>call:get_sky(city="Ulm"}<tool_call|>',
    },
    { title: 'a word for nothing', text: '<|tool_call>call:get_sky{city:none}<tool_call|>' },
    {
      title: 'two words without quotes',
      text: '<|tool_call>call:get_sky{city:New Ulm}<tool_call|>',
    },
    { title: 'a call that was cut', text: '<|tool_call>call:get_sky{city:<|"|>Ulm<|"|>,days:5' },
    {
      title: 'words behind',
      text: '<|tool_call>call:get_sky{city:<|"|>Ulm<|"|>} and more<tool_call|>',
    },
  ],
  notExpressed: [{ note: '<|"|>' }, { 'a b': 'x' }, { '5a': 'x' }],
});
