import { testNotation } from './notation-case.ts';

testNotation('qwen_xml', {
  template:
    '<tool_call>\n<function=get_weather>\n<parameter=location>\nParis, "FR"\n</parameter>\n<parameter=days>\n3\n</parameter>\n<parameter=alerts>\ntrue\n</parameter>\n<parameter=tags>\n["a","b"]\n</parameter>\n<parameter=filter>\n{"max":1.5}\n</parameter>\n</function>\n</tool_call>',
  read: [
    [
      'an indented call',
      '  <function=get_weather>\n  <parameter=location>\nParis\n  </parameter>\n  </function>',
      { location: 'Paris' },
    ],
    [
      'a last line of blanks other than the tag’s indentation',
      '<function=get_weather>\n<parameter=location>\nParis\n  \n</parameter>\n</function>',
      { location: 'Paris\n  ' },
    ],
    [
      'a closing tag indented unlike the opening one',
      '<function=get_weather>\n<parameter=location>\nParis\n  </parameter>\n</function>',
      { location: '\nParis\n  ' },
    ],
    [
      'a last tag without its end',
      '<function=get_weather><parameter=location>Paris</parameter></function',
      { location: 'Paris' },
    ],
    [
      'a last tag of a parameter without its end',
      '<parameter=location>Paris</parameter',
      { location: 'Paris' },
    ],
    [
      'a fence in a value',
      '<function=get_weather><parameter=location>\n```json\n{"location": "x"}\n```\n</parameter></function>',
      { location: '```json\n{"location": "x"}\n```' },
    ],
    [
      'a call in a fence',
      '```xml\n<function=get_weather><parameter=location>Paris</parameter></function>\n```',
      { location: 'Paris' },
    ],
    [
      'a call without its opening tag',
      '<function=get_weather>\n<parameter=location>\nParis\n</parameter>\n</function>\n</tool_call>',
      { location: 'Paris' },
    ],
    [
      'a call in a tag that isn’t closed',
      '<tool_call>\n<function=get_weather>\n<parameter=location>\nParis\n</parameter>\n</function>',
      { location: 'Paris' },
    ],
    ['parameters alone', '<parameter=location>Paris</parameter>', { location: 'Paris' }],
    [
      'JSON in the tags of the function',
      '<function=get_weather>{"location": "Paris"}</function>',
      { location: 'Paris' },
    ],
    [
      'JSON as Llama 3.1 ends it',
      '<function=get_weather>{"location": "Paris"}</function><|eom_id|>',
      { location: 'Paris' },
    ],
    [
      'line breaks of the value',
      '<function=get_weather><parameter=location>\n\nParis\n\n</parameter></function>',
      { location: '\nParis\n' },
    ],
    [
      'a line break at the end only',
      '<function=get_weather><parameter=location>Paris\n</parameter></function>',
      { location: 'Paris\n' },
    ],
    [
      'a string that looks like JSON',
      '<function=get_weather><parameter=location>"007"</parameter></function>',
      { location: '"007"' },
    ],
    [
      'Python’s True',
      '<function=get_weather><parameter=location>Paris</parameter><parameter=alerts>True</parameter></function>',
      { location: 'Paris', alerts: true },
    ],
    [
      'a namespace before the name',
      '<function=functions.get_weather><parameter=location>Paris</parameter></function>',
      { location: 'Paris' },
    ],
  ],
  refused: [
    [
      'a closing tag behind a value that may be its own',
      '<function=get_weather><parameter=location>a</parameter></parameter></function>',
    ],
    [
      'a tag without a key in a value',
      '<function=get_weather><parameter=location><parameter>a</parameter></parameter></function>',
    ],
    [
      'a parameter twice',
      '<function=get_weather><parameter=location>a</parameter><parameter=location>b</parameter></function>',
    ],
    [
      'an undeclared parameter',
      '<function=get_weather><parameter=location>a</parameter><parameter=evil>b</parameter></function>',
    ],
    [
      'text between parameters',
      '<function=get_weather><parameter=location>a</parameter> and <parameter=note>b</parameter></function>',
    ],
    [
      'a parameter inside a value',
      '<function=get_weather><parameter=location>a <parameter=note>b</parameter></function>',
    ],
    [
      'a closing tag inside a value',
      '<function=get_weather><parameter=location>a </parameter> b</parameter></function>',
    ],
    ['a function that isn’t closed', '<function=get_weather><parameter=location>Paris</parameter>'],
    [
      'two functions in one tag',
      '<tool_call><function=get_weather><parameter=location>a</parameter></function><function=get_weather><parameter=location>b</parameter></function></tool_call>',
    ],
  ],
  notExpressed: [{ note: 'a </parameter> b' }, { note: '<parameter=x>' }],
});
