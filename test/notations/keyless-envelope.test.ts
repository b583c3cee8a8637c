import { testNotation } from './notation-case.ts';

testNotation('keyless_envelope', {
  template:
    '{"name": "get_sky", {"city":"Ulm, \\"FR\\"","days":3,"alerts":true,"tags":["a","b"],"filter":{"max":1.5}}}',
  read: [
    ['other quotes', "{'name': 'get_sky', {city: 'Ulm',}}"],
    ['line breaks', '{\n  "name":  "get_sky",\n  {"city": "Ulm"}\n}'],
  ],
  refused: [
    ['another key', '{"name": "get_sky", {"city": "Ulm"}, "days": 3}'],
    ['a missing brace', '{"name": "get_sky", {"city": "Ulm"}'],
  ],
  notExpressed: [],
});
