// Texts that no model should write: openings without an end, tokens as content, cut calls. Reading
// them costs time in proportion to their length, and acts on nothing that isn't a whole call.
import { readFileSync } from 'node:fs';
import { CallReader, interpretArguments, readCalls } from 'toolmend';
import { notations, writeCall } from 'toolmend/testing';
import { costOf } from '../cost.ts';
import { closedOf, text, whole } from '../schemas.ts';

const inputSchema = closedOf({ path: text, content: text, size: whole }, ['path']);
const tools = [{ name: 'save_file', inputSchema }];
const call = (content: string) =>
  `<tool_call>{"name": "save_file", "arguments": ${JSON.stringify({ path: 'a', content })}}</tool_call>`;

const shapes = [
  '<think>',
  '</think>',
  '<tool_call>',
  '</tool_call>',
  '[TOOL_CALLS]',
  '[TOOL_CALLS]save_file[ARGS]',
  '<｜tool▁call▁begin｜>save_file<｜tool▁sep｜>',
  '<|python_tag|>',
  '<function=save_file><parameter=content>',
  '<parameter=content>',
  '<tool_call>save_file<arg_key>content</arg_key><arg_value>',
  '\n<save_file>',
  '\n<save_file><content>',
  '\n{"name": "save_file", ',
  '\n{"a": "b", ',
  '\nsave_file(',
  '\nsave_file(content="',
  '\nsave_file\n{',
  '\n> ',
  '```\n',
  '~~~\n',
  '`',
  '~~',
  '\n<page>',
  '<pre>',
  '[code]',
  'a <<EOF\n',
  '{% raw %}',
  '<!--',
  '<|',
  '[',
  '{',
  '"',
  '\u200b',
  '\r\n',
  '\ud83d',
];
const page = readFileSync(new URL('../../docs/reference/notations.md', import.meta.url), 'utf8');

/**
 * Units of parsing and writing a megabyte of JSON, for a megabyte of a shape. The dearest shape takes
 * half of it; to read a stream again with each piece takes a hundred times as much.
 */
const most = 800;
const size = 32 * 1024;

describe('time grows with the length, and no further, for text of nothing but', () => {
  test.each(shapes)('%j', (shape) => {
    const shown = shape.repeat(Math.ceil(size / shape.length)).slice(0, size);
    const read = costOf(() => readCalls(shown, tools));
    expect(read.result.calls).toEqual([]);
    expect(read.cost).toBeLessThan(most / 32);

    const streamed = costOf(() => {
      const reader = new CallReader(tools);
      for (let at = 0; at < shown.length; at += 64) reader.add(shown.slice(at, at + 64));
      return reader.end();
    });
    expect(streamed.cost).toBeLessThan(most / 32);

    const sent = costOf(() => interpretArguments(inputSchema, { text: shown }));
    expect(sent.result.status).toBe('rejected');
    expect(sent.cost).toBeLessThan(most / 32);
  });
});

test.each(
  notations.filter(
    (notation) => !/^(?:element_xml|functionary|react|keyless_envelope)$/.test(notation),
  ),
)('%s: two calls behind each other are two', (notation) => {
  const written = ['a', 'b'].map((path) =>
    writeCall(notation, { name: 'save_file', arguments: { path } }),
  );
  const { calls } = readCalls(written.join('\n'), tools);
  expect(calls.map(({ arguments: sent }) => JSON.parse(sent))).toEqual([
    { path: 'a' },
    { path: 'b' },
  ]);
});

test('10,000 openings are text', () => {
  for (const opening of ['<tool_call>', '<function=save_file>', '<invoke name="save_file">']) {
    const { calls, text: rest } = readCalls(opening.repeat(10_000), tools);
    expect(calls).toEqual([]);
    expect(rest).toHaveLength(opening.length * 10_000);
  }
});

test('a file of tags is text', () => {
  const file = '<project>\n<path>a</path>\n<content/>\n<!-- x -->\n</project>\n'.repeat(500);
  expect(readCalls(file, tools)).toMatchObject({ calls: [], text: file, leftInText: [] });
});

test.each(['<x>\n</x>\n', '<think></think>\n'])(
  'openings without an end cost nothing before %j',
  (block) => {
    const openings = [1, 2, 3, 4, 5, 6, 7].map((number) => `<a${number}>\n`);
    const shown = openings.join('') + block.repeat(size / block.length);
    expect(costOf(() => readCalls(shown, tools)).cost).toBeLessThan(most / 32);
  },
);

test('a long call in pieces of four characters costs little more than passing it on', () => {
  const long = call('const a = "b";\n'.repeat(6000));
  const pieces = Array.from({ length: Math.ceil(long.length / 4) }, (_, index) =>
    long.slice(index * 4, index * 4 + 4),
  );
  const read = costOf(() => {
    const reader = new CallReader(tools);
    for (const piece of pieces) reader.add(piece);
    return reader.end().calls;
  });
  expect(read.result).toHaveLength(1);
  expect(read.cost).toBeLessThan(20);
});

const tokens = [
  '<|im_end|>',
  '<|eot_id|>',
  '</s>',
  '<|tool_call_end|>',
  '<tool_call|>',
  '[/TOOL_CALLS]',
  '<｜tool▁call▁end｜>',
  '<|"|>',
  '</tool_call>',
  '</think>',
  '<think>',
  '\u200b\ufeff\u2060',
  '\r\n\r\n',
  '\ud83d',
  '```',
  '-->',
];

describe.each(notations)('%s', (notation) => {
  const read = (written: string) =>
    readCalls(written, tools).calls.map(({ arguments: sent }) => {
      const result = interpretArguments(inputSchema, { text: sent }, { tool: 'save_file' });
      return result.status === 'rejected' ? undefined : result.value;
    });

  test('tokens, invisible characters and half surrogates in a value stay in it', () => {
    for (const token of tokens) {
      const meant = { path: 'a', content: `x${token}y` };
      const written = writeCall(notation, { name: 'save_file', arguments: meant });
      if (written === undefined) continue;
      // A value is never another one; where it can't be told apart, the call isn't read.
      for (const value of read(written)) expect([token, value]).toEqual([token, meant]);
    }
  });

  test('another notation’s call in a value stays in it, and is never called', () => {
    for (const other of notations) {
      const inner = writeCall(other, { name: 'save_file', arguments: { path: 'evil' } }) ?? '';
      const meant = { path: 'a', content: `See:\n${inner}\nSo.` };
      const written = writeCall(notation, { name: 'save_file', arguments: meant });
      if (written === undefined) continue;
      for (const value of read(written)) expect([other, value]).toEqual([other, meant]);
    }
  });

  test('the page about notations in a value stays in it, whole and by paragraph', () => {
    for (const part of [page, ...page.split('\n\n'), ...page.split('\n')]) {
      const meant = { path: 'a', content: part };
      const written = writeCall(notation, { name: 'save_file', arguments: meant });
      if (written === undefined) continue;
      for (const value of read(written)) expect(value).toEqual(meant);
    }
  });

  test('a call in a call is none of the outer one’s arguments', () => {
    const inner = writeCall(notation, { name: 'save_file', arguments: { path: 'inner' } }) ?? '';
    const outer = writeCall(notation, { name: 'save_file', arguments: { path: 'outer' } }) ?? '';
    for (const place of ['outer', '/', '"', '}']) {
      const at = outer.lastIndexOf(place);
      const nested = at === -1 ? outer : outer.slice(0, at) + inner + outer.slice(at);
      // The inner call is the only one, part of a value, or both are text.
      for (const value of read(nested))
        if (value !== undefined)
          expect([nested, ['{"path":"outer"}', '{"path":"inner"}']]).toEqual([
            nested,
            expect.arrayContaining([JSON.stringify(value)]),
          ]);
    }
  });

  test('a call that was cut acts only as the whole one, for each finish reason', () => {
    // A number of two digits that is cut between them would be another one.
    const meant = { path: 'src/a.ts', content: 'const a = "b";', size: 7 };
    const meantSoFar = (value: object) =>
      Object.fromEntries(Object.entries(meant).filter(([key]) => key in value));
    const written = writeCall(notation, { name: 'save_file', arguments: meant }) ?? '';
    for (let end = 0; end < written.length; end += 1) {
      const cut = written.slice(0, end);
      for (const value of read(cut)) expect([cut, value]).toEqual([cut, meant]);
      for (const finishReason of ['stop', 'length', 'tool_calls', 'content_filter', undefined]) {
        const result = interpretArguments(
          inputSchema,
          { text: cut },
          { tool: 'save_file', ...(finishReason === undefined ? {} : { finishReason }) },
        );
        if (result.status === 'rejected') continue;
        // A normal end is trusted: what is there is whole, and other arguments are absent.
        const isNormal = finishReason === 'stop' || finishReason === 'tool_calls';
        const expected = isNormal ? expect.objectContaining(meantSoFar(result.value)) : meant;
        expect([cut, finishReason, result.value]).toEqual([cut, finishReason, expected]);
      }
    }
  });

  test('carriage returns around a call change nothing', () => {
    const meant = { path: 'src/a.ts', content: 'a' };
    const written = writeCall(notation, { name: 'save_file', arguments: meant }) ?? '';
    expect(read(`\r\n${written}\r\n`)).toEqual([meant]);
  });

  test('in place of the arguments, a draft, another tool and a call in a call are none of them', () => {
    const written = (path: string, name = 'save_file') =>
      writeCall(notation, { name, arguments: { path } }) ?? '';
    const pathIn = (sent: string) => {
      const settings = { tool: 'save_file', finishReason: 'stop' };
      const result = interpretArguments(inputSchema, { text: sent }, settings);
      return result.status === 'rejected' ? 'refused' : result.value.path;
    };
    expect(['final', 'refused']).toContain(
      pathIn(`<think>\n${written('draft')}\n</think>\n${written('final')}`),
    );
    expect(pathIn(`<think>\n${written('draft')}\n</think>`)).toBe('refused');
    expect(['a', 'refused']).toContain(pathIn(`\r\n${written('a')}\r\n`));
    expect(pathIn(written('a').repeat(2000))).toBe('refused');
  });

  test('a call of a tool that nobody offered is text', () => {
    const written = writeCall(notation, { name: 'format_disk', arguments: { path: '/' } }) ?? '';
    expect(readCalls(written, tools)).toMatchObject({ calls: [], text: written });
  });

  test('a draft in a thought is none, and what follows the thought is one', () => {
    const draft = writeCall(notation, { name: 'save_file', arguments: { path: 'draft' } }) ?? '';
    const final = writeCall(notation, { name: 'save_file', arguments: { path: 'final' } }) ?? '';
    expect(read(`<think>\n${draft}\n</think>\n${final}`)).toEqual([{ path: 'final' }]);
    expect(read(`<think>\n${draft}\n</think>\nDone.`)).toEqual([]);
  });
});
