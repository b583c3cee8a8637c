import { interpretArguments, readCalls } from 'toolmend';
import { closedOf, listOf, text } from '../schemas.ts';
import { testNotation } from './notation-case.ts';

testNotation('element_xml', {
  template:
    '<get_sky>\n<city>Ulm, "FR"</city>\n<days>3</days>\n<alerts>true</alerts>\n<tags>["a","b"]</tags>\n<filter>{"max":1.5}</filter>\n</get_sky>',
  read: [
    {
      title: 'a named call with an element around its arguments',
      text: '<tool_call name="get_sky">\n  <args><city>Ulm</city><days>3</days></args>\n</tool_call>\n<!-- comment -->',
      becomes: { city: 'Ulm', days: 3 },
    },
    {
      title: 'an attribute of that element',
      text: '<tool_call name="get_sky"><arguments n=\'1\'><city>Ulm</city></arguments></tool_call>',
    },
    {
      title: 'an element around the parameters',
      text: '<get_sky><parameters><city>Ulm</city></parameters></get_sky>',
    },
    {
      title: 'elements in a parameter that takes an object',
      text: '<get_sky><city>Ulm</city><filter><max>1.5</max></filter></get_sky>',
      becomes: { city: 'Ulm', filter: { max: 1.5 } },
    },
    {
      title: 'items of a list',
      text: '<get_sky>\n<city>Ulm</city>\n<tags>\n  <item>a</item>\n  <item>b</item>\n</tags>\n</get_sky>',
      becomes: { city: 'Ulm', tags: ['a', 'b'] },
    },
    {
      title: 'elements named by the singular of a list',
      text: '<get_sky><args><city>Ulm</city><tag>a</tag><tag>b</tag></args></get_sky>',
      becomes: { city: 'Ulm', tags: ['a', 'b'] },
    },
    {
      title: 'a list whose elements have its own name',
      text: '<get_sky>\n<city>Ulm</city>\n<tags>a</tags>\n<tags>b</tags>\n</get_sky>',
      becomes: { city: 'Ulm', tags: ['a', 'b'] },
    },
    {
      title: 'elements in a text',
      text: '<get_sky><city><b>Ulm</b></city></get_sky>',
      becomes: { city: '<b>Ulm</b>' },
    },
    { title: 'JSON in the element', text: '<get_sky>{"city": "Ulm"}</get_sky>' },
  ],
  refused: [
    {
      title: 'a closing tag behind a value that may be its own',
      text: '<get_sky><city>a</city></city></get_sky>',
    },
    {
      title: 'an undeclared parameter twice',
      text: '<get_sky><city>a</city><evil>b</evil><evil>c</evil></get_sky>',
    },
    {
      title: 'a parameter twice that is no list',
      text: '<get_sky><city>a</city><city>b</city></get_sky>',
    },
    {
      title: 'elements in an element of a list of text',
      text: '<get_sky><city>a</city><tag><name>a</name></tag></get_sky>',
    },
    {
      title: 'elements in an item of a list of text',
      text: '<get_sky><city>a</city><tags><tag><name>a</name></tag></tags></get_sky>',
    },
    {
      title: 'a list around a list of its own element’s name that isn’t declared',
      text: '<get_sky><city>a</city><all><tags>a</tags><tags>b</tags></all></get_sky>',
    },
    {
      title: 'a list and an element of it',
      text: '<get_sky><city>a</city><tags>["a"]</tags><tag>b</tag></get_sky>',
    },
    {
      title: 'a member of an object twice',
      text: '<get_sky><city>a</city><filter><max>1</max><max>2</max></filter></get_sky>',
    },
    {
      title: 'text beside the members of an object',
      text: '<get_sky><city>a</city><filter>b<max>1</max></filter></get_sky>',
    },
    {
      title: 'items of several names',
      text: '<get_sky><city>a</city><tags><item>a</item><note>b</note></tags></get_sky>',
    },
    { title: 'an undeclared parameter', text: '<get_sky><city>a</city><evil>b</evil></get_sky>' },
    {
      title: 'a parameter inside a value',
      text: '<get_sky><days>1</days><city>a <note>b</note></city></get_sky>',
    },
    {
      title: 'a parameter in another spelling before an object',
      text: '<no_te>a</no_te>\n{"city": "Graz"}',
    },
    {
      title: 'parameters of an unknown tool',
      text: '<city>Ulm</city><note>{"city": "Graz"}</note>',
    },
    { title: 'a call that isn’t closed', text: '<get_sky><city>Ulm</city>' },
  ],
  notExpressed: [{ note: '<note>' }, { note: '\na\n' }, { 'a b': 'x' }, { '5a': 'x' }, { a$: 'x' }],
});

describe('Roo’s read_file with two files', () => {
  const file = closedOf({ path: text }, ['path']);
  const twoFiles = '<file>\n<path>src/a.ts</path>\n</file>\n<file>\n<path>src/b.ts</path>\n</file>';
  const inArgs = `<read_file>\n<args>\n${twoFiles}\n</args>\n</read_file>`;
  const files = [{ path: 'src/a.ts' }, { path: 'src/b.ts' }];

  test.each([
    { takes: 'a list named files', properties: { files: listOf(file) }, becomes: { files } },
    { takes: 'a list named file', properties: { file: listOf(file) }, becomes: { file: files } },
    {
      takes: 'an object with the list',
      properties: { args: closedOf({ file: listOf(file) }) },
      becomes: { args: { file: files } },
    },
  ])('$takes: both are read', ({ properties, becomes }) => {
    const inputSchema = closedOf(properties);
    const tool = { name: 'read_file', inputSchema };
    const [call] = readCalls(inArgs, [tool]).calls;
    const fromAnswer = interpretArguments(inputSchema, { text: call?.arguments ?? '' });
    const fromArguments = interpretArguments(
      inputSchema,
      { text: inArgs },
      { tool: 'read_file', finishReason: 'stop' },
    );

    expect(fromAnswer).toMatchObject({ value: becomes });
    expect(fromArguments).toMatchObject({ value: becomes });
  });

  test.each([
    { takes: 'one path', properties: { path: text } },
    { takes: 'paths as text', properties: { paths: listOf(text) } },
    { takes: 'files as text', properties: { files: listOf(text) } },
  ])('$takes: the call is refused', ({ properties }) => {
    const inputSchema = closedOf(properties);

    const tool = { name: 'read_file', inputSchema };

    expect(readCalls(inArgs, [tool]).calls).toEqual([]);
    expect(interpretArguments(inputSchema, { text: inArgs })).toMatchObject({ status: 'rejected' });
  });
});
