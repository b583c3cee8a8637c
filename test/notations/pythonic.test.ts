import { testNotation } from './notation-case.ts';

testNotation('pythonic', {
  template:
    '<|tool_call_start|>[get_sky(city="Ulm, \\"FR\\"", days=3, alerts=True, tags=["a", "b"], filter={"max": 1.5})]<|tool_call_end|>',
  read: [
    ['a call in a fence', '```tool_code\nget_sky(city="Ulm")\n```'],
    [
      'LFM2.5',
      "<|tool_call_start|>[get_sky(city='Ulm', days=3)]<|tool_call_end|>",
      { city: 'Ulm', days: 3 },
    ],
    ['Llama 4', '[get_sky(city="Ulm")]'],
    ['a call without brackets', 'get_sky(city="Ulm")'],
    ['one dict', "[get_sky({'city': 'Ulm', 'alerts': False})]", { city: 'Ulm', alerts: false }],
    ['an object', 'get_sky({"city": "Ulm"})'],
    ['Gemini’s tool code', "print(default_api.get_sky(city='Ulm'))"],
    [
      'line breaks between arguments',
      'get_sky(\n  city="Ulm",\n  days=3,\n)',
      { city: 'Ulm', days: 3 },
    ],
    ['digits', 'get_sky(city = 12345678901234567890,)', { city: '12345678901234567890' }],
    [
      'brackets and commas in a string',
      'get_sky(city="a, b) c]", days=1)',
      { city: 'a, b) c]', days: 1 },
    ],
  ],
  refused: [
    ['positional arguments', '[get_sky("Ulm", 5)]'],
    ['an expression', '[get_sky(city="a" + "b")]'],
    ['a name', 'get_sky(city=city)'],
    ['a number with a quote', 'get_sky(city="a", filter={"max": 5"})'],
    ['a key twice in a value', 'get_sky(city="a", filter={"max": 5, "max": 5})'],
    ['another bracket at its end', 'get_sky(city="Ulm"]'],
    ['words between calls', '[get_sky(city="Ulm") so]'],
    ['print that is not closed', 'print(get_sky(city="Ulm")'],
    ['an object in a call that was cut', 'get_sky({"city": "Ulm"}'],
    ['another bracket behind an object', 'get_sky({"city": "Ulm"}]'],
    ['a missing comma', 'get_sky(city="Ulm" days=3)'],
    ['a broken call before an object', 'get_sky(Ulm): {"city": "Graz"}'],
    ['a list of another call before an object', '[note("Ulm")]: {"city": "Graz"}'],
    ['another call with words behind', '[get_sky(city="Ulm"), note]'],
    ['a line that ends in a backslash', 'get_sky(city="a\\\nb")'],
    ['another call as a value', 'get_sky(city=city())'],
    ['two calls in one list', '[get_sky(city="a"), get_sky(city="b")]'],
    ['a keyword twice', 'get_sky(city="a", city="b")'],
    ['an undeclared keyword', 'get_sky(city="a", evil=1)'],
    ['a call that was cut', '[get_sky(city="Ulm", days=5'],
    ['words behind', 'get_sky(city="Ulm") is what I run'],
  ],
  notExpressed: [{ 'a b': 'x' }, { a: 'x', '5b': 'x' }, { 'a-b': 'x' }],
});
