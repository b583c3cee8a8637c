import { testNotation } from './notation-case.ts';

testNotation('react', {
  template:
    'Action: get_sky\nAction Input: {"city":"Ulm, \\"FR\\"","days":3,"alerts":true,"tags":["a","b"],"filter":{"max":1.5}}',
  read: [
    {
      title: 'a thought',
      text: 'Thought: I need it.\nIt is for Ulm.\nAction: get_sky\nAction Input: {"city": "Ulm"}',
    },
    {
      title: 'a question',
      text: 'Question: Where?\nThought: So.\nAction: get_sky\nAction Input: {"city": "Ulm"}',
    },
    {
      title: 'the stop word on a line of its own',
      text: 'Action: get_sky\r\nAction Input: {"city": "Ulm"}\r\n\n  Observation: \n',
    },
    {
      title: 'the word that stops the model',
      text: 'Action: get_sky\nAction Input: {"city": "Ulm"}\nObservation:',
    },
    {
      title: 'arguments on the next line',
      text: 'Action: get_sky\nAction Input:\n{"city": "Ulm"}',
    },
  ],
  refused: [
    {
      title: 'an answer',
      text: 'Action: get_sky\nAction Input: {"city": "a"}\nObservation: rain\nFinal Answer: rain',
    },
    {
      title: 'two actions',
      text: 'Action: get_sky\nAction Input: {"city": "a"}\nObservation: none\nAction: get_sky\nAction Input: {"city": "b"}',
    },
    {
      title: 'a second input',
      text: 'Action: get_sky\nAction Input: {"city": "a"}\n Action Input: {"city": "b"}',
    },
    { title: 'no input', text: 'Action: get_sky\nPlease' },
  ],
  notExpressed: [],
});
