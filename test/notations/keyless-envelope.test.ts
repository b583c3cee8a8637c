import { testNotation } from './notation-case.ts';

testNotation('keyless_envelope', {
  template:
    '{"name": "get_sky", {"city":"Ulm, \\"FR\\"","days":3,"alerts":true,"tags":["a","b"],"filter":{"max":1.5}}}',
  read: [
    { title: 'other quotes', text: "{'name': 'get_sky', {city: 'Ulm',}}" },
    { title: 'line breaks', text: '{\n  "name":  "get_sky",\n  {"city": "Ulm"}\n}' },
  ],
  refused: [
    { title: 'another key', text: '{"name": "get_sky", {"city": "Ulm"}, "days": 3}' },
    { title: 'a missing brace', text: '{"name": "get_sky", {"city": "Ulm"}' },
  ],
  notExpressed: [],
});
