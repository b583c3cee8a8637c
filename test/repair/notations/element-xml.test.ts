import { testNotation } from './notation-case.ts';

testNotation('element_xml', {
  template:
    '<get_weather>\n<location>Paris, "FR"</location>\n<days>3</days>\n<alerts>true</alerts>\n<tags>["a","b"]</tags>\n<filter>{"max":1.5}</filter>\n</get_weather>',
  read: [
    [
      'a named call with an element around its arguments',
      '<tool_call name="get_weather">\n  <args><location>Paris</location><days>3</days></args>\n</tool_call>\n<!-- comment -->',
      { location: 'Paris', days: 3 },
    ],
    [
      'an attribute of that element',
      '<tool_call name="get_weather"><arguments n=\'1\'><location>Paris</location></arguments></tool_call>',
      { location: 'Paris' },
    ],
    [
      'an element around the parameters',
      '<get_weather><parameters><location>Paris</location></parameters></get_weather>',
      { location: 'Paris' },
    ],
    ['JSON in the element', '<get_weather>{"location": "Paris"}</get_weather>', { location: 'Paris' }],
  ],
  refused: [
    [
      'a closing tag behind a value that may be its own',
      '<get_weather><location>a</location></location></get_weather>',
    ],
    ['an undeclared parameter', '<get_weather><location>a</location><evil>b</evil></get_weather>'],
    ['a parameter inside a value', '<get_weather><location>a <note>b</note></location></get_weather>'],
    ['parameters of an unknown tool', '<location>Paris</location><note>{"location": "Graz"}</note>'],
    ['a call that isn’t closed', '<get_weather><location>Paris</location>'],
  ],
  notExpressed: [{ note: '<note>' }, { note: '\na\n' }, { 'a b': 'x' }],
});
