import { testNotation } from './notation-case.ts';

testNotation('pythonic', {
  template:
    '<|tool_call_start|>[get_sky(city="Ulm, \\"FR\\"", days=3, alerts=True, tags=["a", "b"], filter={"max": 1.5})]<|tool_call_end|>',
  read: [
    { title: 'a call in a fence', text: '```tool_code\nget_sky(city="Ulm")\n```' },
    {
      title: 'LFM2.5',
      text: "<|tool_call_start|>[get_sky(city='Ulm', days=3)]<|tool_call_end|>",
      becomes: { city: 'Ulm', days: 3 },
    },
    { title: 'Llama 4', text: '[get_sky(city="Ulm")]' },
    { title: 'a built-in tool of Llama 3.1', text: '<|python_tag|>get_sky.call(city="Ulm")' },
    { title: 'a call without brackets', text: 'get_sky(city="Ulm")' },
    {
      title: 'one dict',
      text: "[get_sky({'city': 'Ulm', 'alerts': False})]",
      becomes: { city: 'Ulm', alerts: false },
    },
    { title: 'an object', text: 'get_sky({"city": "Ulm"})' },
    { title: 'Gemini’s tool code', text: "print(default_api.get_sky(city='Ulm'))" },
    {
      title: 'line breaks between arguments',
      text: 'get_sky(\n  city="Ulm",\n  days=3,\n)',
      becomes: { city: 'Ulm', days: 3 },
    },
    {
      title: 'digits',
      text: 'get_sky(city = 12345678901234567890,)',
      becomes: { city: '12345678901234567890' },
    },
    {
      title: 'brackets and commas in a string',
      text: 'get_sky(city="a, b) c]", days=1)',
      becomes: { city: 'a, b) c]', days: 1 },
    },
  ],
  refused: [
    { title: 'a method of the tool', text: 'get_sky.call(city="Ulm")' },
    {
      title: 'a lost comma before a keyword',
      text: '[get_sky(city="Ulm" note="a", days=3)]',
    },
    { title: 'a lost comma between strings', text: '[get_sky(city="Ulm", tags=["a" "b"])]' },
    { title: 'positional arguments', text: '[get_sky("Ulm", 5)]' },
    { title: 'an expression', text: '[get_sky(city="a" + "b")]' },
    { title: 'a name', text: 'get_sky(city=city)' },
    { title: 'a number with a quote', text: 'get_sky(city="a", filter={"max": 5"})' },
    { title: 'a key twice in a value', text: 'get_sky(city="a", filter={"max": 5, "max": 5})' },
    { title: 'another bracket at its end', text: 'get_sky(city="Ulm"]' },
    { title: 'words between calls', text: '[get_sky(city="Ulm") so]' },
    { title: 'print that is not closed', text: 'print(get_sky(city="Ulm")' },
    { title: 'an object in a call that was cut', text: 'get_sky({"city": "Ulm"}' },
    { title: 'another bracket behind an object', text: 'get_sky({"city": "Ulm"}]' },
    { title: 'a missing comma', text: 'get_sky(city="Ulm" days=3)' },
    { title: 'a broken call before an object', text: 'get_sky(Ulm): {"city": "Graz"}' },
    { title: 'a list of another call before an object', text: '[note("Ulm")]: {"city": "Graz"}' },
    { title: 'another call with words behind', text: '[get_sky(city="Ulm"), note]' },
    { title: 'a line that ends in a backslash', text: 'get_sky(city="a\\\nb")' },
    { title: 'another call as a value', text: 'get_sky(city=city())' },
    { title: 'two calls in one list', text: '[get_sky(city="a"), get_sky(city="b")]' },
    { title: 'a keyword twice', text: 'get_sky(city="a", city="b")' },
    { title: 'an undeclared keyword', text: 'get_sky(city="a", evil=1)' },
    { title: 'a call that was cut', text: '[get_sky(city="Ulm", days=5' },
    { title: 'words behind', text: 'get_sky(city="Ulm") is what I run' },
  ],
  notExpressed: [{ 'a b': 'x' }, { a: 'x', '5b': 'x' }, { 'a-b': 'x' }],
});
