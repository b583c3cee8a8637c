import { testNotation } from './notation-case.ts';

testNotation('pythonic', {
  template:
    '<|tool_call_start|>[get_weather(location="Paris, \\"FR\\"", days=3, alerts=True, tags=["a", "b"], filter={"max": 1.5})]<|tool_call_end|>',
  read: [
    ['a call in a fence', '```tool_code\nget_weather(location="Paris")\n```', { location: 'Paris' }],
    [
      'LFM2.5',
      "<|tool_call_start|>[get_weather(location='Paris', days=3)]<|tool_call_end|>",
      { location: 'Paris', days: 3 },
    ],
    ['Llama 4', '[get_weather(location="Paris")]', { location: 'Paris' }],
    ['a call without brackets', 'get_weather(location="Paris")', { location: 'Paris' }],
    [
      'one dict',
      "[get_weather({'location': 'Paris', 'alerts': False})]",
      { location: 'Paris', alerts: false },
    ],
    ['an object', 'get_weather({"location": "Paris"})', { location: 'Paris' }],
    ['Gemini’s tool code', "print(default_api.get_weather(location='Paris'))", { location: 'Paris' }],
    [
      'line breaks between the arguments',
      'get_weather(\n  location="Paris",\n  days=3,\n)',
      { location: 'Paris', days: 3 },
    ],
    [
      'brackets and commas inside a string',
      'get_weather(location="a, b) c]", days=1)',
      { location: 'a, b) c]', days: 1 },
    ],
  ],
  refused: [
    ['positional arguments', '[get_weather("Paris", 5)]'],
    ['an expression', '[get_weather(location="a" + "b")]'],
    ['a name', 'get_weather(location=city)'],
    ['a line that ends in a backslash', 'get_weather(location="a\\\nb")'],
    ['another call as a value', 'get_weather(location=city())'],
    ['two calls in one list', '[get_weather(location="a"), get_weather(location="b")]'],
    ['a keyword twice', 'get_weather(location="a", location="b")'],
    ['an undeclared keyword', 'get_weather(location="a", evil=1)'],
    ['a call that was cut', '[get_weather(location="Paris", days=5'],
    ['words behind', 'get_weather(location="Paris") is what I run'],
  ],
  notExpressed: [{ 'a b': 'x' }],
});
