import { testNotation } from './notation-case.ts';

testNotation('invoke_xml', {
  template:
    '<minimax:tool_call>\n<invoke name="get_sky">\n<parameter name="city">Ulm, "FR"</parameter>\n<parameter name="days">3</parameter>\n<parameter name="alerts">true</parameter>\n<parameter name="tags">["a","b"]</parameter>\n<parameter name="filter">{"max":1.5}</parameter>\n</invoke>\n</minimax:tool_call>',
  read: [
    [
      'DeepSeek V3.2',
      '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_sky">\n<｜DSML｜parameter name="city" string="true">Ulm</｜DSML｜parameter>\n<｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
      { city: 'Ulm', days: 3 },
    ],
    [
      'MiniMax-M3',
      ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="get_sky">]<]minimax[>[<city>Ulm]<]minimax[>[</city>\n]<]minimax[>[<days>3]<]minimax[>[</days>\n]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
      { city: 'Ulm', days: 3 },
    ],
    [
      'Claude’s older form',
      '<function_calls>\n<invoke name="get_sky">\n<parameter name="city">Ulm</parameter>\n</invoke>\n</function_calls>',
    ],
    [
      'a tag that isn’t closed around it',
      '<minimax:tool_call><invoke name="get_sky"><parameter name="city">Ulm</parameter></invoke>\n',
    ],
    [
      'a function with params',
      '<function name="get_sky"><param name="city">Ulm</param></function>',
    ],
    ['JSON in the invocation', '<invoke name="get_sky">{"city": "Ulm"}</invoke>'],
    [
      'attributes',
      '<invoke name="get_sky" n="1"><parameter name="city" type="a">Ulm</parameter></invoke>',
    ],
    [
      'line breaks at the end of a value',
      '<invoke name="get_sky"><parameter name="city">a\nb\n</parameter></invoke>',
      { city: 'a\nb\n' },
    ],
    [
      'a value with markup of its own',
      '<invoke name="get_sky"><parameter name="city"><b>Ulm</b></parameter></invoke>',
      { city: '<b>Ulm</b>' },
    ],
    [
      'a parameter that isn’t closed before the end of the call',
      '<invoke name="get_sky"><parameter name="city">Ulm</invoke>',
    ],
    [
      'a garbled closing tag',
      '<invoke name="get_sky"><parameter name="city">Ulm</parameter/></invoke>',
    ],
    [
      'a tag between quotes in a value',
      '<invoke name="get_sky"><parameter name="city">a "</parameter>" b</parameter></invoke>',
      { city: 'a "</parameter>" b' },
    ],
    [
      'types that the markup says',
      '<invoke name="get_sky"><parameter name="city" string="true">5</parameter><parameter name="days" string="false">5</parameter></invoke>',
      { city: '5', days: 5 },
    ],
    [
      'all arguments in one parameter',
      '<invoke name="get_sky"><parameter name="arguments">{"city": "Ulm"}</parameter></invoke>',
    ],
    [
      'character data',
      '<invoke name="get_sky"><parameter name="city"><![CDATA[Ulm]]></parameter></invoke>',
    ],
  ],
  refused: [
    [
      'a closing tag behind a value that may be its own',
      '<invoke name="get_sky"><parameter name="city">a</parameter></parameter></invoke>',
    ],
    [
      'a parameter inside a value',
      '<invoke name="get_sky"><parameter name="city">a <parameter name="note">b</parameter></parameter></invoke>',
    ],
    ['words between', '<invoke name="get_sky">Now <parameter name="city">Ulm</parameter></invoke>'],
    ['words behind', '<invoke name="get_sky"><parameter name="city">Ulm</parameter></invoke> done'],
  ],
  notExpressed: [{ note: '</parameter>' }],
});
