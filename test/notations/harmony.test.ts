import { testNotation } from './notation-case.ts';

testNotation('harmony', {
  template:
    '<|start|>assistant<|channel|>commentary to=functions.get_sky <|constrain|>json<|message|>{"city":"Ulm, \\"FR\\"","days":3,"alerts":true,"tags":["a","b"],"filter":{"max":1.5}}<|call|>',
  read: [
    [
      'the recipient before the channel',
      '<|start|>assistant to=functions.get_sky<|channel|>commentary json<|message|>{"city": "Ulm"}<|call|>',
    ],
    [
      'cut',
      '<|channel|>commentary to=functions.get_sky <|constrain|>json<|message|>{"city": "Ulm"}<|call|>',
    ],
    ['the head without tokens', 'commentary to=functions.get_sky json<|message|>{"city": "Ulm"}'],
    [
      'another channel',
      '<|channel|>analysis to=functions.get_sky code<|message|>{"city": "Ulm"}<|call|>',
    ],
  ],
  refused: [],
  notExpressed: [],
});
