import { testNotation } from './notation-case.ts';

testNotation('react', {
  template:
    'Action: get_weather\nAction Input: {"location":"Paris, \\"FR\\"","days":3,"alerts":true,"tags":["a","b"],"filter":{"max":1.5}}',
  read: [
    [
      'a thought before',
      'Thought: I need it.\nIt is for Paris.\nAction: get_weather\nAction Input: {"location": "Paris"}',
      { location: 'Paris' },
    ],
    [
      'the word that stops the model',
      'Action: get_weather\nAction Input: {"location": "Paris"}\nObservation:',
      { location: 'Paris' },
    ],
    [
      'arguments on the next line',
      'Action: get_weather\nAction Input:\n{"location": "Paris"}',
      { location: 'Paris' },
    ],
  ],
  refused: [
    [
      'an answer that the model made up',
      'Action: get_weather\nAction Input: {"location": "a"}\nObservation: rain\nFinal Answer: rain',
    ],
    [
      'two actions',
      'Action: get_weather\nAction Input: {"location": "a"}\nObservation: none\nAction: get_weather\nAction Input: {"location": "b"}',
    ],
    ['no input', 'Action: get_weather\nPlease'],
  ],
  notExpressed: [],
});
