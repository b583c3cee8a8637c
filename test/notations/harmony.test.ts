import { testNotation } from './notation-case.ts';

testNotation('harmony', {
  template:
    '<|start|>assistant<|channel|>commentary to=functions.get_sky <|constrain|>json<|message|>{"city":"Ulm, \\"FR\\"","days":3,"alerts":true,"tags":["a","b"],"filter":{"max":1.5}}<|call|>',
  read: [
    {
      title: 'the recipient before the channel',
      text: '<|start|>assistant to=functions.get_sky<|channel|>commentary json<|message|>{"city": "Ulm"}<|call|>',
    },
    {
      title: 'cut',
      text: '<|channel|>commentary to=functions.get_sky <|constrain|>json<|message|>{"city": "Ulm"}<|call|>',
    },
    {
      title: 'the head without tokens',
      text: 'commentary to=functions.get_sky json<|message|>{"city": "Ulm"}',
    },
    {
      title: 'the name without its namespace',
      text: '<|channel|>commentary to=get_sky <|constrain|>json<|message|>{"city": "Ulm"}<|call|>',
    },
    {
      title: 'another channel',
      text: '<|channel|>analysis to=functions.get_sky code<|message|>{"city": "Ulm"}<|call|>',
    },
  ],
  refused: [
    {
      title: 'what is addressed to the user',
      text: '<|channel|>commentary to=user<|message|>{"city": "Ulm"}',
    },
  ],
  notExpressed: [],
});
