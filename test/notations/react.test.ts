import { testNotation } from './notation-case.ts';

testNotation('react', {
  template:
    'Action: get_sky\nAction Input: {"city":"Ulm, \\"FR\\"","days":3,"alerts":true,"tags":["a","b"],"filter":{"max":1.5}}',
  read: [
    [
      'a thought',
      'Thought: I need it.\nIt is for Ulm.\nAction: get_sky\nAction Input: {"city": "Ulm"}',
    ],
    [
      'a question',
      'Question: Where?\nThought: So.\nAction: get_sky\nAction Input: {"city": "Ulm"}',
    ],
    [
      'the stop word on a line of its own',
      'Action: get_sky\r\nAction Input: {"city": "Ulm"}\r\n\n  Observation: \n',
    ],
    [
      'the word that stops the model',
      'Action: get_sky\nAction Input: {"city": "Ulm"}\nObservation:',
    ],
    ['arguments on the next line', 'Action: get_sky\nAction Input:\n{"city": "Ulm"}'],
  ],
  refused: [
    [
      'an answer',
      'Action: get_sky\nAction Input: {"city": "a"}\nObservation: rain\nFinal Answer: rain',
    ],
    [
      'two actions',
      'Action: get_sky\nAction Input: {"city": "a"}\nObservation: none\nAction: get_sky\nAction Input: {"city": "b"}',
    ],
    [
      'a second input',
      'Action: get_sky\nAction Input: {"city": "a"}\n Action Input: {"city": "b"}',
    ],
    ['no input', 'Action: get_sky\nPlease'],
  ],
  notExpressed: [],
});
