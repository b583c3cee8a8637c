import { testNotation } from './notation-case.ts';

testNotation('glm', {
  template:
    '<tool_call>get_sky\n<arg_key>city</arg_key>\n<arg_value>Ulm, "FR"</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n<arg_key>alerts</arg_key>\n<arg_value>true</arg_value>\n<arg_key>tags</arg_key>\n<arg_value>["a","b"]</arg_value>\n<arg_key>filter</arg_key>\n<arg_value>{"max":1.5}</arg_value>\n</tool_call>',
  read: [
    ['one line', '<tool_call>get_sky<arg_key>city</arg_key><arg_value>Ulm</arg_value></tool_call>'],
    [
      'blanks between',
      '<tool_call>get_sky <arg_key>city</arg_key> <arg_value>Ulm</arg_value> </tool_call>',
    ],
    ['arguments without the name', '<arg_key>city</arg_key><arg_value>Ulm</arg_value>'],
    [
      'the token that ends the turn',
      '<tool_call>get_sky\n<arg_key>city</arg_key>\n<arg_value>Ulm</arg_value>\n</tool_call><|observation|>',
    ],
    [
      'a string that looks like a list',
      '<tool_call>get_sky<arg_key>city</arg_key><arg_value>[1, 2]</arg_value></tool_call>',
      { city: '[1, 2]' },
    ],
  ],
  refused: [
    [
      'a closing tag behind a value that may be its own',
      '<tool_call>get_sky<arg_key>city</arg_key><arg_value>a</arg_value></arg_value></tool_call>',
    ],
    ['a key twice', '<arg_key>city</arg_key><arg_value>a</arg_value>'.repeat(2)],
    ['a key without a value', '<tool_call>get_sky<arg_key>city</arg_key></tool_call>'],
    ['a key in a value', '<arg_key>city</arg_key><arg_value>a<arg_key>note</arg_key></arg_value>'],
    [
      'a call that only a token closes',
      '<tool_call>get_sky<arg_key>city</arg_key><arg_value>Ulm</arg_value><|observation|>',
    ],
    [
      'a call that isn’t closed',
      '<tool_call>get_sky<arg_key>city</arg_key><arg_value>Ulm</arg_value>',
    ],
  ],
  notExpressed: [{ note: '</arg_value>' }],
});
