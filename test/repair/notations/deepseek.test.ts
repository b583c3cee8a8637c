import { testNotation } from './notation-case.ts';

testNotation('deepseek', {
  template:
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"location":"Paris, \\"FR\\"","days":3,"alerts":true,"tags":["a","b"],"filter":{"max":1.5}}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  read: [
    [
      'DeepSeek R1',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"location": "Paris"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>',
      { location: 'Paris' },
    ],
    ['a bar of ASCII', 'get_weather<|tool▁sep|>{"location": "Paris"}', { location: 'Paris' }],
  ],
  refused: [
    [
      'another tool in a fence',
      '<｜tool▁call▁begin｜>function<｜tool▁sep｜>remove\n```json\n{"location":"a"}\n```<｜tool▁call▁end｜>',
    ],
  ],
  notExpressed: [],
});
