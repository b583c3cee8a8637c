import { testNotation } from './notation-case.ts';

testNotation('mistral', {
  template:
    '[TOOL_CALLS]get_sky[ARGS]{"city":"Ulm, \\"FR\\"","days":3,"alerts":true,"tags":["a","b"],"filter":{"max":1.5}}',
  read: [
    { title: 'an id', text: '[TOOL_CALLS]get_sky[CALL_ID]123456789[ARGS]{"city": "Ulm"}' },
    { title: 'an end of text', text: '[TOOL_CALLS]get_sky[ARGS]{"city": "Ulm"}</s>' },
    { title: 'no token before the arguments', text: '[TOOL_CALLS]get_sky{"city": "Ulm"}' },
    { title: 'no token before the name', text: 'get_sky[ARGS]{"city": "Ulm"}' },
    { title: 'arguments alone', text: '[ARGS]{"city": "Ulm"}' },
  ],
  refused: [
    { title: 'nothing but the beginning', text: '[ARGS]{"' },
    {
      title: 'words behind a call of two objects',
      text: '[TOOL_CALLS]get_sky[ARGS]{"city": "a"} {"city": "b"}',
    },
  ],
  notExpressed: [],
});
