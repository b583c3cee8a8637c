import { testNotation } from './notation-case.ts';

const start = '<function=get_sky>';

testNotation('qwen_xml', {
  template:
    '<tool_call>\n<function=get_sky>\n<parameter=city>\nUlm, "FR"\n</parameter>\n<parameter=days>\n3\n</parameter>\n<parameter=alerts>\ntrue\n</parameter>\n<parameter=tags>\n["a","b"]\n</parameter>\n<parameter=filter>\n{"max":1.5}\n</parameter>\n</function>\n</tool_call>',
  read: [
    ['JSON behind a tag without its end', '<function=get_sky{"city": "Ulm"}</function>'],
    ['JSON behind a tag that ends in a sign', '<function=get_sky={"city": "Ulm"}</function>'],
    [
      'Seed-OSS',
      `<seed:tool_call>\n${start}\n<parameter=city>Ulm</parameter>\n</function>\n</seed:tool_call>`,
    ],
    [
      'an indented call',
      '  <function=get_sky>\n  <parameter=city>\nUlm\n  </parameter>\n  </function>',
    ],
    [
      'a last line of blanks other than the tag’s indentation',
      `${start}\n<parameter=city>\nUlm\n  \n</parameter>\n</function>`,
      { city: 'Ulm\n  ' },
    ],
    [
      'a closing tag indented unlike the opening one',
      `${start}\n<parameter=city>\nUlm\n  </parameter>\n</function>`,
      { city: 'Ulm\n  ' },
    ],
    ['a last tag without its end', `${start}<parameter=city>Ulm</parameter></function`],
    ['a last tag of a parameter without its end', '<parameter=city>Ulm</parameter'],
    [
      'a fence in a value',
      '<function=get_sky><parameter=city>\n```json\n{"city": "x"}\n```\n</parameter></function>',
      { city: '```json\n{"city": "x"}\n```' },
    ],
    [
      'a call in a fence',
      '```xml\n<function=get_sky><parameter=city>Ulm</parameter></function>\n```',
    ],
    [
      'a closing tag that none opens',
      `${start}\n<parameter=city>\nUlm\n</parameter>\n</function>\n</tool_call>`,
    ],
    [
      'a call in a tag that isn’t closed',
      '<tool_call>\n<function=get_sky>\n<parameter=city>\nUlm\n</parameter>\n</function>',
    ],
    ['parameters alone', '<parameter=city>Ulm</parameter>'],
    ['JSON in the tags of the function', `${start}{"city": "Ulm"}</function>`],
    ['JSON as Llama 3.1 ends it', `${start}{"city": "Ulm"}</function><|eom_id|>`],
    ['one line break', `${start}<parameter=city>\n</parameter></function>`, { city: '' }],
    ['two line breaks', `${start}<parameter=city>\r\n\r\n</parameter></function>`, { city: '' }],
    [
      'lines of the value',
      `${start}<parameter=city>\n\nUlm\n\n</parameter></function>`,
      { city: '\nUlm\n' },
    ],
    [
      'a line break at the end',
      `${start}<parameter=city>Ulm\n</parameter></function>`,
      { city: 'Ulm' },
    ],
    [
      'a string that is like JSON',
      `${start}<parameter=city>"007"</parameter></function>`,
      { city: '"007"' },
    ],
    [
      'Python’s True',
      `${start}<parameter=city>Ulm</parameter><parameter=alerts>True</parameter></function>`,
      { city: 'Ulm', alerts: true },
    ],
    [
      'a namespace before the name',
      '<function=functions.get_sky><parameter=city>Ulm</parameter></function>',
    ],
  ],
  refused: [
    ['the end of a comment', `${start}<parameter=city>a</parameter></function> -->`],
    [
      'a closing tag that may be the value’s',
      `${start}<parameter=city>a</parameter></parameter></function>`,
    ],
    [
      'a tag without a key inside',
      `${start}<parameter=city><parameter>a</parameter></parameter></function>`,
    ],
    [
      'a parameter twice',
      `${start}<parameter=city>a</parameter><parameter=city>b</parameter></function>`,
    ],
    [
      'an undeclared key',
      `${start}<parameter=city>a</parameter><parameter=evil>b</parameter></function>`,
    ],
    [
      'text between',
      `${start}<parameter=city>a</parameter> and <parameter=note>b</parameter></function>`,
    ],
    [
      'a parameter inside a value',
      `${start}<parameter=city>a <parameter=note>b</parameter></function>`,
    ],
    [
      'a closing tag inside a value',
      `${start}<parameter=city>a </parameter> b</parameter></function>`,
    ],
    ['a function that isn’t closed', `${start}<parameter=city>Ulm</parameter>`],
    [
      'two functions in one tag',
      '<tool_call><function=get_sky><parameter=city>a</parameter></function><function=get_sky><parameter=city>b</parameter></function></tool_call>',
    ],
  ],
  notExpressed: [
    { city: 'a', note: 'b\r' },
    { note: 'a </parameter> b' },
    { note: '<parameter=x>' },
  ],
});
