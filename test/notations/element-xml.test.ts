import { testNotation } from './notation-case.ts';

testNotation('element_xml', {
  template:
    '<get_sky>\n<city>Ulm, "FR"</city>\n<days>3</days>\n<alerts>true</alerts>\n<tags>["a","b"]</tags>\n<filter>{"max":1.5}</filter>\n</get_sky>',
  read: [
    [
      'a named call with an element around its arguments',
      '<tool_call name="get_sky">\n  <args><city>Ulm</city><days>3</days></args>\n</tool_call>\n<!-- comment -->',
      { city: 'Ulm', days: 3 },
    ],
    [
      'an attribute of that element',
      '<tool_call name="get_sky"><arguments n=\'1\'><city>Ulm</city></arguments></tool_call>',
    ],
    [
      'an element around the parameters',
      '<get_sky><parameters><city>Ulm</city></parameters></get_sky>',
    ],
    ['JSON in the element', '<get_sky>{"city": "Ulm"}</get_sky>'],
  ],
  refused: [
    [
      'a closing tag behind a value that may be its own',
      '<get_sky><city>a</city></city></get_sky>',
    ],
    ['an undeclared parameter', '<get_sky><city>a</city><evil>b</evil></get_sky>'],
    [
      'a parameter inside a value',
      '<get_sky><days>1</days><city>a <note>b</note></city></get_sky>',
    ],
    ['a parameter in another spelling before an object', '<no_te>a</no_te>\n{"city": "Graz"}'],
    ['parameters of an unknown tool', '<city>Ulm</city><note>{"city": "Graz"}</note>'],
    ['a call that isn’t closed', '<get_sky><city>Ulm</city>'],
  ],
  notExpressed: [{ note: '<note>' }, { note: '\na\n' }, { 'a b': 'x' }, { '5a': 'x' }, { a$: 'x' }],
});
