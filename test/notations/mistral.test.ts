import { testNotation } from './notation-case.ts';

testNotation('mistral', {
  template:
    '[TOOL_CALLS]get_sky[ARGS]{"city":"Ulm, \\"FR\\"","days":3,"alerts":true,"tags":["a","b"],"filter":{"max":1.5}}',
  read: [
    ['an id', '[TOOL_CALLS]get_sky[CALL_ID]123456789[ARGS]{"city": "Ulm"}'],
    ['an end of text', '[TOOL_CALLS]get_sky[ARGS]{"city": "Ulm"}</s>'],
    ['no token before the arguments', '[TOOL_CALLS]get_sky{"city": "Ulm"}'],
    ['no token before the name', 'get_sky[ARGS]{"city": "Ulm"}'],
    ['arguments alone', '[ARGS]{"city": "Ulm"}'],
  ],
  refused: [
    ['nothing but the beginning', '[ARGS]{"'],
    ['words behind a call of two objects', '[TOOL_CALLS]get_sky[ARGS]{"city": "a"} {"city": "b"}'],
  ],
  notExpressed: [],
});
