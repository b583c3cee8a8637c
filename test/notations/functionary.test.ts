import { testNotation } from './notation-case.ts';

testNotation('functionary', {
  template:
    '>>>get_sky\n{"city":"Ulm, \\"FR\\"","days":3,"alerts":true,"tags":["a","b"],"filter":{"max":1.5}}',
  read: [
    {
      title: 'version 2',
      text: '<|from|>assistant\n<|recipient|>get_sky\n<|content|>{"city": "Ulm"}<|stop|>',
    },
    { title: 'version 2 behind its prompt', text: 'get_sky\n<|content|>{"city": "Ulm"}' },
  ],
  refused: [
    { title: 'text to the user', text: '>>>all\n{"city": "Ulm"}' },
    { title: 'words behind', text: '>>>get_sky\n{"city": "Ulm"} or not' },
  ],
  notExpressed: [],
});
