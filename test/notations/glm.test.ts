import { testNotation } from './notation-case.ts';

testNotation('glm', {
  template:
    '<tool_call>get_sky\n<arg_key>city</arg_key>\n<arg_value>Ulm, "FR"</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n<arg_key>alerts</arg_key>\n<arg_value>true</arg_value>\n<arg_key>tags</arg_key>\n<arg_value>["a","b"]</arg_value>\n<arg_key>filter</arg_key>\n<arg_value>{"max":1.5}</arg_value>\n</tool_call>',
  read: [
    {
      title: 'one line',
      text: '<tool_call>get_sky<arg_key>city</arg_key><arg_value>Ulm</arg_value></tool_call>',
    },
    {
      title: 'blanks between',
      text: '<tool_call>get_sky <arg_key>city</arg_key> <arg_value>Ulm</arg_value> </tool_call>',
    },
    {
      title: 'arguments without the name',
      text: '<arg_key>city</arg_key><arg_value>Ulm</arg_value>',
    },
    {
      title: 'the token that ends the turn',
      text: '<tool_call>get_sky\n<arg_key>city</arg_key>\n<arg_value>Ulm</arg_value>\n</tool_call><|observation|>',
    },
    {
      title: 'tags of a key that come twice',
      text: '<tool_call>get_sky<arg_key><arg_key>city</arg_key></arg_key><arg_value>Ulm</arg_value></tool_call>',
    },
    {
      title: 'a key whose closing tag is lost',
      text: '<tool_call>get_sky<arg_key>city<arg_value>Ulm</arg_value></tool_call>',
    },
    {
      title: 'a first key that lost its tag',
      text: '<tool_call>get_sky city</arg_key><arg_value>Ulm</arg_value><arg_key>note</arg_key><arg_value>a</arg_value></tool_call>',
      becomes: { city: 'Ulm', note: 'a' },
    },
    {
      title: 'a first key without anything between the name and it',
      text: '<tool_call>get_skycity</arg_key><arg_value>Ulm</arg_value></tool_call>',
    },
    {
      title: 'the tag of the call instead of that of the first key',
      text: '<tool_call>get_sky<tool_call>city</arg_key><arg_value>Ulm</arg_value></tool_call>',
    },
    {
      title: 'a string that looks like a list',
      text: '<tool_call>get_sky<arg_key>city</arg_key><arg_value>[1, 2]</arg_value></tool_call>',
      becomes: { city: '[1, 2]' },
    },
  ],
  refused: [
    {
      title: 'a closing tag behind a value that may be its own',
      text: '<tool_call>get_sky<arg_key>city</arg_key><arg_value>a</arg_value></arg_value></tool_call>',
    },
    {
      title: 'a second key that lost its tag',
      text: '<tool_call>get_sky<arg_key>city</arg_key><arg_value>a</arg_value>note</arg_key><arg_value>b</arg_value></tool_call>',
    },
    {
      title: 'a key behind the name that the tool doesn’t declare',
      text: '<tool_call>get_skytown</arg_key><arg_value>Ulm</arg_value></tool_call>',
    },
    { title: 'a key twice', text: '<arg_key>city</arg_key><arg_value>a</arg_value>'.repeat(2) },
    {
      title: 'a key without a value',
      text: '<tool_call>get_sky<arg_key>city</arg_key></tool_call>',
    },
    {
      title: 'a key in a value',
      text: '<arg_key>city</arg_key><arg_value>a<arg_key>note</arg_key></arg_value>',
    },
    {
      title: 'a call that only a token closes',
      text: '<tool_call>get_sky<arg_key>city</arg_key><arg_value>Ulm</arg_value><|observation|>',
    },
    {
      title: 'a call that isn’t closed',
      text: '<tool_call>get_sky<arg_key>city</arg_key><arg_value>Ulm</arg_value>',
    },
  ],
  notExpressed: [{ note: '</arg_value>' }],
});
