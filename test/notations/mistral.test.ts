import { readCalls } from 'toolmend';
import { testNotation } from './notation-case.ts';

testNotation('mistral', {
  template:
    '[TOOL_CALLS]get_sky[ARGS]{"city":"Ulm, \\"FR\\"","days":3,"alerts":true,"tags":["a","b"],"filter":{"max":1.5}}',
  read: [
    { title: 'an id', text: '[TOOL_CALLS]get_sky[CALL_ID]123456789[ARGS]{"city": "Ulm"}' },
    { title: 'an end of text', text: '[TOOL_CALLS]get_sky[ARGS]{"city": "Ulm"}</s>' },
    { title: 'no token before the arguments', text: '[TOOL_CALLS]get_sky{"city": "Ulm"}' },
    { title: 'no token before the name', text: 'get_sky[ARGS]{"city": "Ulm"}' },
    { title: 'arguments alone', text: '[ARGS]{"city": "Ulm"}' },
  ],
  refused: [
    { title: 'nothing but the beginning', text: '[ARGS]{"' },
    {
      title: 'words behind a call of two objects',
      text: '[TOOL_CALLS]get_sky[ARGS]{"city": "a"} {"city": "b"}',
    },
  ],
  notExpressed: [],
});

test('a call without arguments is read in an answer that has its end', () => {
  const tools = [{ name: 'list_tools', inputSchema: { type: 'object', properties: {} } }];
  const found = (text: string) =>
    readCalls(text, tools).calls.map((call) => [call.name, call.arguments]);

  expect(found('[TOOL_CALLS]list_tools[ARGS]</s>')).toEqual([['list_tools', '{}']]);
  expect(found('[TOOL_CALLS]list_tools</s>')).toEqual([['list_tools', '{}']]);
  expect(found('[TOOL_CALLS]list_tools[ARGS]')).toEqual([]);
  expect(found('[TOOL_CALLS]list_tools')).toEqual([]);
  expect(found('[TOOL_CALLS]other_tool[ARGS]</s>')).toEqual([]);
});
