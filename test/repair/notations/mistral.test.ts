import { testNotation } from './notation-case.ts';

testNotation('mistral', {
  template:
    '[TOOL_CALLS]get_sky[ARGS]{"city":"Paris, \\"FR\\"","days":3,"alerts":true,"tags":["a","b"],"filter":{"max":1.5}}',
  read: [
    ['an id', '[TOOL_CALLS]get_sky[CALL_ID]123456789[ARGS]{"city": "Paris"}'],
    ['an end of text', '[TOOL_CALLS]get_sky[ARGS]{"city": "Paris"}</s>'],
    ['no token before the arguments', '[TOOL_CALLS]get_sky{"city": "Paris"}'],
    ['no token before the name', 'get_sky[ARGS]{"city": "Paris"}'],
    ['arguments alone', '[ARGS]{"city": "Paris"}'],
  ],
  refused: [
    ['nothing but the beginning', '[ARGS]{"'],
    ['words behind a call of two objects', '[TOOL_CALLS]get_sky[ARGS]{"city": "a"} {"city": "b"}'],
  ],
  notExpressed: [],
});
