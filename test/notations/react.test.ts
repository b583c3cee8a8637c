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
      title: 'a title instead of the name',
      text: 'Action: Get Sky\nAction Input: {"city": "Ulm"}',
    },
    {
      title: 'arguments in a fence',
      text: 'Action: get_sky\nAction Input:\n```json\n  {"city": "Ulm"}\n```',
    },
    {
      title: 'a call object',
      text: 'Thought: So.\nAction:\n{\n"name": "get_sky",\n"parameters": {"city": "Ulm"}\n}',
    },
    { title: 'a call of Python', text: 'Thought: So.\nAction: get_sky ({"city": "Ulm"})' },
    {
      title: 'arguments on the next line',
      text: 'Action: get_sky\nAction Input:\n{"city": "Ulm"}',
    },
  ],
  refused: [
    { title: 'no tool', text: 'Action: None (there is no need)\nAction Input: {"city": "Ulm"}' },
    {
      title: 'another tool’s call object',
      text: 'Action:\n{"name": "set_sky", "parameters": {"city": "Ulm"}}',
    },
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
