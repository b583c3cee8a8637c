import { testNotation } from './notation-case.ts';

testNotation('invoke_xml', {
  template:
    '<minimax:tool_call>\n<invoke name="get_weather">\n<parameter name="location">Paris, "FR"</parameter>\n<parameter name="days">3</parameter>\n<parameter name="alerts">true</parameter>\n<parameter name="tags">["a","b"]</parameter>\n<parameter name="filter">{"max":1.5}</parameter>\n</invoke>\n</minimax:tool_call>',
  read: [
    [
      'DeepSeek V3.2',
      '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="location" string="true">Paris</｜DSML｜parameter>\n<｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
      { location: 'Paris', days: 3 },
    ],
    [
      'MiniMax-M3',
      ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="get_weather">]<]minimax[>[<location>Paris]<]minimax[>[</location>\n]<]minimax[>[<days>3]<]minimax[>[</days>\n]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
      { location: 'Paris', days: 3 },
    ],
    [
      'Claude’s older form',
      '<function_calls>\n<invoke name="get_weather">\n<parameter name="location">Paris</parameter>\n</invoke>\n</function_calls>',
      { location: 'Paris' },
    ],
    [
      'a function with params',
      '<function name="get_weather"><param name="location">Paris</param></function>',
      { location: 'Paris' },
    ],
    [
      'JSON in the invocation',
      '<invoke name="get_weather">{"location": "Paris"}</invoke>',
      { location: 'Paris' },
    ],
    [
      'other attributes',
      '<invoke name="get_weather" id="1"><parameter name="location" type="string">Paris</parameter></invoke>',
      { location: 'Paris' },
    ],
    [
      'line breaks at the end of a value',
      '<invoke name="get_weather"><parameter name="location">a\nb\n</parameter></invoke>',
      { location: 'a\nb\n' },
    ],
    [
      'a value with markup of its own',
      '<invoke name="get_weather"><parameter name="location"><b>Paris</b></parameter></invoke>',
      { location: '<b>Paris</b>' },
    ],
  ],
  refused: [
    [
      'a closing tag behind a value that may be its own',
      '<invoke name="get_weather"><parameter name="location">a</parameter></parameter></invoke>',
    ],
    [
      'a parameter inside a value',
      '<invoke name="get_weather"><parameter name="location">a <parameter name="note">b</parameter></parameter></invoke>',
    ],
    ['a parameter that isn’t closed', '<invoke name="get_weather"><parameter name="location">Paris</invoke>'],
    ['words between', '<invoke name="get_weather">Now <parameter name="location">Paris</parameter></invoke>'],
    ['words behind', '<invoke name="get_weather"><parameter name="location">Paris</parameter></invoke> done'],
  ],
  notExpressed: [{ note: '</parameter>' }, { note: '\na\n' }],
});
