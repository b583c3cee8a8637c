import { testNotation } from './notation-case.ts';

testNotation('invoke_xml', {
  template:
    '<minimax:tool_call>\n<invoke name="get_sky">\n<parameter name="city">Ulm, "FR"</parameter>\n<parameter name="days">3</parameter>\n<parameter name="alerts">true</parameter>\n<parameter name="tags">["a","b"]</parameter>\n<parameter name="filter">{"max":1.5}</parameter>\n</invoke>\n</minimax:tool_call>',
  read: [
    {
      title: 'elements where a string is declared, behind tokens: a list of one',
      text: ']<]minimax[>[<invoke name="get_sky">]<]minimax[>[<city>]<]minimax[>[<item>Ulm]<]minimax[>[</item>]<]minimax[>[</city>]<]minimax[>[</invoke>',
    },
    {
      title: 'a list in a list, behind tokens',
      text: ']<]minimax[>[<invoke name="get_sky">]<]minimax[>[<city>Ulm]<]minimax[>[</city>]<]minimax[>[<tags>]<]minimax[>[<item>]<]minimax[>[<item>a]<]minimax[>[</item>]<]minimax[>[</item>]<]minimax[>[</tags>]<]minimax[>[</invoke>',
      becomes: { city: 'Ulm', tags: ['a'] },
    },
    {
      title: 'a lost closing tag before a line break',
      text: '<invoke name="get_sky">\n<parameter name="city">Ulm\n</invoke>',
    },
    {
      title: 'DeepSeek V3.2',
      text: '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_sky">\n<｜DSML｜parameter name="city" string="true">Ulm</｜DSML｜parameter>\n<｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
      becomes: { city: 'Ulm', days: 3 },
    },
    {
      title: 'MiniMax-M3',
      text: ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="get_sky">]<]minimax[>[<city>Ulm]<]minimax[>[</city>\n]<]minimax[>[<days>3]<]minimax[>[</days>\n]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
      becomes: { city: 'Ulm', days: 3 },
    },
    {
      title: 'DeepSeek’s token with blanks',
      text: '< | DSML | tool_calls>\n< | DSML | invoke name="get_sky">\n< | DSML | parameter name="city" string="true">Ulm</ | DSML | parameter>\n</ | DSML | invoke>\n</ | DSML | tool_calls>',
    },
    {
      title: 'a tokenizer’s blanks',
      text: '<functionĠname="get_sky"><paramĠname="city">Ulm</param><paramname="note">a</param></function>',
      becomes: { city: 'Ulm', note: 'a' },
    },
    {
      title: 'MiniMax-M3’s elements in each other',
      text: ']<]minimax[>[<tool_call>]<]minimax[>[<invoke name="get_sky">]<]minimax[>[<city>\nUlm]<]minimax[>[</city>]<]minimax[>[<filter>]<]minimax[>[<max>1.5]<]minimax[>[</max>]<]minimax[>[</filter>]<]minimax[>[<tags>]<]minimax[>[<item>a]<]minimax[>[</item>]<]minimax[>[</tags>]<]minimax[>[</invoke>]<]minimax[>[</tool_call>',
      becomes: { city: '\nUlm', filter: { max: 1.5 }, tags: ['a'] },
    },
    {
      title: 'Claude’s older form',
      text: '<function_calls>\n<invoke name="get_sky">\n<parameter name="city">Ulm</parameter>\n</invoke>\n</function_calls>',
    },
    {
      title: 'a tag that isn’t closed around it',
      text: '<minimax:tool_call><invoke name="get_sky"><parameter name="city">Ulm</parameter></invoke>\n',
    },
    {
      title: 'a function with params',
      text: '<function name="get_sky"><param name="city">Ulm</param></function>',
    },
    { title: 'JSON in the invocation', text: '<invoke name="get_sky">{"city": "Ulm"}</invoke>' },
    {
      title: 'attributes',
      text: '<invoke name="get_sky" n="1"><parameter name="city" type="a">Ulm</parameter></invoke>',
    },
    {
      title: 'line breaks at the end of a value',
      text: '<invoke name="get_sky"><parameter name="city">a\nb\n</parameter></invoke>',
      becomes: { city: 'a\nb\n' },
    },
    {
      title: 'a value with markup of its own',
      text: '<invoke name="get_sky"><parameter name="city"><b>Ulm</b></parameter></invoke>',
      becomes: { city: '<b>Ulm</b>' },
    },
    {
      title: 'a parameter that isn’t closed before the end of the call',
      text: '<invoke name="get_sky"><parameter name="city">Ulm</invoke>',
    },
    {
      title: 'a garbled closing tag',
      text: '<invoke name="get_sky"><parameter name="city">Ulm</parameter/></invoke>',
    },
    {
      title: 'a tag between quotes in a value',
      text: '<invoke name="get_sky"><parameter name="city">a "</parameter>" b</parameter></invoke>',
      becomes: { city: 'a "</parameter>" b' },
    },
    {
      title: 'types that the markup says',
      text: '<invoke name="get_sky"><parameter name="city" string="true">5</parameter><parameter name="days" string="false">5</parameter></invoke>',
      becomes: { city: '5', days: 5 },
    },
    {
      title: 'all arguments in one parameter',
      text: '<invoke name="get_sky"><parameter name="arguments">{"city": "Ulm"}</parameter></invoke>',
    },
    {
      title: 'character data',
      text: '<invoke name="get_sky"><parameter name="city"><![CDATA[Ulm]]></parameter></invoke>',
    },
  ],
  refused: [
    {
      title: 'what is left of a closing tag',
      text: '<invoke name="get_sky"><parameter name="city">Ulm/parameter></invoke>',
    },
    {
      title: 'another tag in the place of the closing one',
      text: '<invoke name="get_sky"><parameter name="city">Ulm<tool_call></invoke>',
    },
    {
      title: 'a lost closing tag behind one quote',
      text: '<invoke name="get_sky"><parameter name="city">a</parameter>"<parameter name="days">3</parameter></invoke>',
    },
    {
      title: 'a closing tag behind a value that may be its own',
      text: '<invoke name="get_sky"><parameter name="city">a</parameter></parameter></invoke>',
    },
    {
      title: 'a parameter inside a value',
      text: '<invoke name="get_sky"><parameter name="city">a <parameter name="note">b</parameter></parameter></invoke>',
    },
    {
      title: 'words between',
      text: '<invoke name="get_sky">Now <parameter name="city">Ulm</parameter></invoke>',
    },
    {
      title: 'words behind',
      text: '<invoke name="get_sky"><parameter name="city">Ulm</parameter></invoke> done',
    },
  ],
  notExpressed: [{ note: '</parameter>' }],
});
