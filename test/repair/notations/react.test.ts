import { testNotation } from './notation-case.ts';

testNotation('react', {
  template:
    'Action: get_sky\nAction Input: {"city":"Ulm, \\"FR\\"","days":3,"alerts":true,"tags":["a","b"],"filter":{"max":1.5}}',
  read: [
    ['a thought', 'Thought: I need it.\nIt is for Ulm.\nAction: get_sky\nAction Input: {"city": "Ulm"}'],
    ['the word that stops the model', 'Action: get_sky\nAction Input: {"city": "Ulm"}\nObservation:'],
    ['arguments on the next line', 'Action: get_sky\nAction Input:\n{"city": "Ulm"}'],
  ],
  refused: [
    ['an answer', 'Action: get_sky\nAction Input: {"city": "a"}\nObservation: rain\nFinal Answer: rain'],
    [
      'two actions',
      'Action: get_sky\nAction Input: {"city": "a"}\nObservation: none\nAction: get_sky\nAction Input: {"city": "b"}',
    ],
    ['no input', 'Action: get_sky\nPlease'],
  ],
  notExpressed: [],
});
