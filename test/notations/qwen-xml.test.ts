import { testNotation } from './notation-case.ts';

const start = '<function=get_sky>';

testNotation('qwen_xml', {
  template:
    '<tool_call>\n<function=get_sky>\n<parameter=city>\nUlm, "FR"\n</parameter>\n<parameter=days>\n3\n</parameter>\n<parameter=alerts>\ntrue\n</parameter>\n<parameter=tags>\n["a","b"]\n</parameter>\n<parameter=filter>\n{"max":1.5}\n</parameter>\n</function>\n</tool_call>',
  read: [
    {
      title: 'a closing tag with the key',
      text: '<function=get_sky><parameter=city>Ulm</parameter=city></function>',
    },
    {
      title: 'JSON behind a tag without its end',
      text: '<function=get_sky{"city": "Ulm"}</function>',
    },
    {
      title: 'JSON behind a tag that ends in a sign',
      text: '<function=get_sky={"city": "Ulm"}</function>',
    },
    {
      title: 'Seed-OSS',
      text: `<seed:tool_call>\n${start}\n<parameter=city>Ulm</parameter>\n</function>\n</seed:tool_call>`,
    },
    {
      title: 'an indented call',
      text: '  <function=get_sky>\n  <parameter=city>\nUlm\n  </parameter>\n  </function>',
    },
    {
      title: 'a last line of blanks other than the tag’s indentation',
      text: `${start}\n<parameter=city>\nUlm\n  \n</parameter>\n</function>`,
      becomes: { city: 'Ulm\n  ' },
    },
    {
      title: 'a closing tag indented unlike the opening one',
      text: `${start}\n<parameter=city>\nUlm\n  </parameter>\n</function>`,
      becomes: { city: 'Ulm\n  ' },
    },
    {
      title: 'a last tag without its end',
      text: `${start}<parameter=city>Ulm</parameter></function`,
    },
    { title: 'a last tag of a parameter without its end', text: '<parameter=city>Ulm</parameter' },
    {
      title: 'a fence in a value',
      text: '<function=get_sky><parameter=city>\n```json\n{"city": "x"}\n```\n</parameter></function>',
      becomes: { city: '```json\n{"city": "x"}\n```' },
    },
    {
      title: 'a call in a fence',
      text: '```xml\n<function=get_sky><parameter=city>Ulm</parameter></function>\n```',
    },
    {
      title: 'a closing tag that none opens',
      text: `${start}\n<parameter=city>\nUlm\n</parameter>\n</function>\n</tool_call>`,
    },
    {
      title: 'a call in a tag that isn’t closed',
      text: '<tool_call>\n<function=get_sky>\n<parameter=city>\nUlm\n</parameter>\n</function>',
    },
    {
      title: 'names in quotes',
      text: '<function="get_sky"><parameter="city">Ulm</parameter></function>',
    },
    {
      title: 'a list of one for a number',
      text: `${start}<parameter=city>Ulm</parameter><parameter=days>[3]</parameter></function>`,
      becomes: { city: 'Ulm', days: 3 },
    },
    { title: 'parameters alone', text: '<parameter=city>Ulm</parameter>' },
    { title: 'JSON in the tags of the function', text: `${start}{"city": "Ulm"}</function>` },
    { title: 'JSON as Llama 3.1 ends it', text: `${start}{"city": "Ulm"}</function><|eom_id|>` },
    {
      title: 'one line break',
      text: `${start}<parameter=city>\n</parameter></function>`,
      becomes: { city: '' },
    },
    {
      title: 'two line breaks',
      text: `${start}<parameter=city>\r\n\r\n</parameter></function>`,
      becomes: { city: '' },
    },
    {
      title: 'lines of the value',
      text: `${start}<parameter=city>\n\nUlm\n\n</parameter></function>`,
      becomes: { city: '\nUlm\n' },
    },
    {
      title: 'a line break at the end',
      text: `${start}<parameter=city>Ulm\n</parameter></function>`,
      becomes: { city: 'Ulm' },
    },
    {
      title: 'a string that is like JSON',
      text: `${start}<parameter=city>"007"</parameter></function>`,
      becomes: { city: '"007"' },
    },
    {
      title: 'Python’s True',
      text: `${start}<parameter=city>Ulm</parameter><parameter=alerts>True</parameter></function>`,
      becomes: { city: 'Ulm', alerts: true },
    },
    {
      title: 'a namespace before the name',
      text: '<function=functions.get_sky><parameter=city>Ulm</parameter></function>',
    },
  ],
  refused: [
    { title: 'the end of a comment', text: `${start}<parameter=city>a</parameter></function> -->` },
    {
      title: 'a closing tag that may be the value’s',
      text: `${start}<parameter=city>a</parameter></parameter></function>`,
    },
    {
      title: 'a tag without a key inside',
      text: `${start}<parameter=city><parameter>a</parameter></parameter></function>`,
    },
    {
      title: 'a parameter twice',
      text: `${start}<parameter=city>a</parameter><parameter=city>b</parameter></function>`,
    },
    {
      title: 'an undeclared key',
      text: `${start}<parameter=city>a</parameter><parameter=evil>b</parameter></function>`,
    },
    {
      title: 'text between',
      text: `${start}<parameter=city>a</parameter> and <parameter=note>b</parameter></function>`,
    },
    {
      title: 'a parameter inside a value',
      text: `${start}<parameter=city>a <parameter=note>b</parameter></function>`,
    },
    {
      title: 'a closing tag inside a value',
      text: `${start}<parameter=city>a </parameter> b</parameter></function>`,
    },
    { title: 'a function that isn’t closed', text: `${start}<parameter=city>Ulm</parameter>` },
    {
      title: 'two functions in one tag',
      text: '<tool_call><function=get_sky><parameter=city>a</parameter></function><function=get_sky><parameter=city>b</parameter></function></tool_call>',
    },
  ],
  notExpressed: [
    { city: 'a', note: 'b\r' },
    { note: 'a </parameter> b' },
    { note: '<parameter=x>' },
  ],
});
