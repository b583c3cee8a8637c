import { testNotation } from './notation-case.ts';

testNotation('mistral', {
  template:
    '[TOOL_CALLS]get_weather[ARGS]{"location":"Paris, \\"FR\\"","days":3,"alerts":true,"tags":["a","b"],"filter":{"max":1.5}}',
  read: [
    ['an id', '[TOOL_CALLS]get_weather[CALL_ID]123456789[ARGS]{"location": "Paris"}', { location: 'Paris' }],
    ['an end of text', '[TOOL_CALLS]get_weather[ARGS]{"location": "Paris"}</s>', { location: 'Paris' }],
    ['no token before the arguments', '[TOOL_CALLS]get_weather{"location": "Paris"}', { location: 'Paris' }],
    ['no token before the name', 'get_weather[ARGS]{"location": "Paris"}', { location: 'Paris' }],
    ['arguments alone', '[ARGS]{"location": "Paris"}', { location: 'Paris' }],
  ],
  refused: [
    ['nothing but the beginning', '[ARGS]{"'],
    [
      'words behind a call of two objects',
      '[TOOL_CALLS]get_weather[ARGS]{"location": "a"} {"location": "b"}',
    ],
  ],
  notExpressed: [],
});
