import { testNotation } from './notation-case.ts';

testNotation('harmony', {
  template:
    '<|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"location":"Paris, \\"FR\\"","days":3,"alerts":true,"tags":["a","b"],"filter":{"max":1.5}}<|call|>',
  read: [
    [
      'the recipient before the channel',
      '<|start|>assistant to=functions.get_weather<|channel|>commentary json<|message|>{"location": "Paris"}<|call|>',
      { location: 'Paris' },
    ],
    [
      'no start',
      '<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"location": "Paris"}<|call|>',
      { location: 'Paris' },
    ],
    [
      'the head without tokens',
      'commentary to=functions.get_weather json<|message|>{"location": "Paris"}',
      { location: 'Paris' },
    ],
    [
      'another channel',
      '<|channel|>analysis to=functions.get_weather code<|message|>{"location": "Paris"}<|call|>',
      { location: 'Paris' },
    ],
  ],
  refused: [],
  notExpressed: [],
});
