import { testNotation } from './notation-case.ts';

testNotation('deepseek', {
  template:
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_sky<｜tool▁sep｜>{"city":"Ulm, \\"FR\\"","days":3,"alerts":true,"tags":["a","b"],"filter":{"max":1.5}}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  read: [
    {
      title: 'DeepSeek R1',
      text: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_sky\n```json\n{"city": "Ulm"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>',
    },
    {
      title: 'a fence without lines',
      text: 'function<|tool▁sep|>get_sky```{"city": "Ulm"}```<|tool▁call▁end|>',
    },
    {
      title: 'empty lines in a fence',
      text: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_sky```json\n\n{"city": "Ulm"}\n\n```<｜tool▁call▁end｜>',
    },
    { title: 'a bar of ASCII', text: 'get_sky<|tool▁sep|>{"city": "Ulm"}' },
  ],
  refused: [
    {
      title: 'another tool in a fence',
      text: '<｜tool▁call▁begin｜>function<｜tool▁sep｜>remove\n```json\n{"city":"a"}\n```<｜tool▁call▁end｜>',
    },
  ],
  notExpressed: [],
});
