import { testNotation } from './notation-case.ts';

testNotation('keyless_envelope', {
  template:
    '{"name": "get_weather", {"location":"Paris, \\"FR\\"","days":3,"alerts":true,"tags":["a","b"],"filter":{"max":1.5}}}',
  read: [['line breaks', '{\n  "name":  "get_weather",\n  {"location": "Paris"}\n}', { location: 'Paris' }]],
  refused: [
    ['another key', '{"name": "get_weather", {"location": "Paris"}, "days": 3}'],
    ['a missing brace', '{"name": "get_weather", {"location": "Paris"}'],
  ],
  notExpressed: [],
});
