// Streams of Chat Completions whose calls share an index or an id, or have none.
import { offering } from './chat-answers.ts';
import { KeptRecord, ask, startTestGateway, startUpstream } from './scripted-upstream.ts';

// eslint-disable-next-line typescript/no-explicit-any -- only tests read what a program sends
type Sent = any;

const listFiles = {
  type: 'function',
  function: {
    name: 'list_files',
    parameters: { type: 'object', properties: { folder: { type: 'string' } } },
  },
};
const body = JSON.stringify({
  ...JSON.parse(offering()),
  tools: [...JSON.parse(offering()).tools, listFiles],
});

/** A part of a call, written as `index|id|name|arguments`; `-` is a member that is absent. */
function partOf(written: string): object {
  const [, index = '', id = '', name = '', text = ''] =
    /^(.*?)\|(.*?)\|(.*?)\|([^]*)$/.exec(written) ?? [];
  return {
    ...(index === '-' ? {} : { index: index === 'null' ? null : Number(index) }),
    ...(id === '-' ? {} : { id }),
    type: 'function',
    function: {
      ...(name === '-' ? {} : { name }),
      ...(text === '-' ? {} : { arguments: text }),
    },
  };
}

const chunkOf = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

/** A stream whose chunks have one part each. */
const streamOf = (parts: readonly string[]): readonly string[] => [
  chunkOf({ role: 'assistant', content: 'So. ' }),
  ...parts.map((part) => chunkOf({ tool_calls: [partOf(part)] })),
  chunkOf({}, 'tool_calls'),
  'data: [DONE]\n\n',
];

async function passed(chunks: readonly string[], settings: object = {}) {
  const upstream = await startUpstream(() => ({ chunks }));
  const record = new KeptRecord({ writeLine: undefined, contents: false });
  const { port } = await startTestGateway(upstream.origin, settings, record);
  const { bytes } = await ask(port, '/v1/chat/completions', { body });
  await record.added;
  const text = bytes.toString();
  const events: readonly Sent[] = text
    .split('\n')
    .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));
  const parts: readonly Sent[] = events.flatMap(
    ({ choices }) => choices[0]?.delta?.tool_calls ?? [],
  );
  return { text, parts, counts: countsOf(record.stats().models) };
}

/** Counts of all tools together, such as `repaired=2 separate_calls=2`. */
function countsOf(models: readonly Sent[]): string {
  const counts = new Map<string, number>();
  for (const { statuses, rules } of models.flatMap(({ tools }) => tools))
    for (const [name, count] of Object.entries<number>({ ...statuses, ...rules }))
      counts.set(name, (counts.get(name) ?? 0) + count);
  return [...counts].map(([name, count]) => `${name}=${count}`).join(' ');
}

/**
 * The calls of a client that adds up all parts with one index, names too, and takes the id of the
 * first part. Throws if a call begins without an id or a name.
 */
function callsOf(parts: readonly Sent[]): readonly string[] {
  const calls = new Map<number, { readonly id: string; name: string; text: string }>();
  for (const { index, id, function: called } of parts) {
    if (typeof index !== 'number') throw new Error(`the index is ${String(index)}`);
    const begun = calls.get(index) ?? { id, name: '', text: '' };
    if (!calls.has(index) && (!id || !called?.name)) throw new Error(`call ${index} has no start`);
    begun.name += called?.name ?? '';
    begun.text += called?.arguments ?? '';
    calls.set(index, begun);
  }
  const ids = new Set([...calls.values()].map(({ id }) => id));
  if (ids.size !== calls.size) throw new Error(`an id is there twice: ${[...ids].join(' ')}`);
  return [...calls.values()].map(
    ({ id, name, text }) => `${/^[a-z\d]{9}$/.test(id) ? '*' : id} ${name} ${text}`,
  );
}

const a = '{"paths":["a"]}';
const b = '{"paths":["b"]}';
const inFolder = '{"folder":"src"}';

describe('a stream that clients can read passes as it came', () => {
  test.each<[string, readonly string[]]>([
    ['one call', ['0|x|read_files|-', `0|-|-|${a}`]],
    ['one call that is not the first', [`3|x|read_files|${a}`]],
    ['parallel calls', ['0|x|read_files|', `0|-|-|${a}`, '1|y|read_files|', `1|-|-|${b}`]],
    [
      'parts that are mixed',
      ['0|x|read_files|', '1|y|read_files|', '0|-|-|{"paths":', `1|-|-|${b}`, '0|-|-|["a"]}'],
    ],
    ['calls in another order', [`1|y|read_files|${b}`, `0|x|read_files|${a}`]],
    ['the id with each part', ['0|x|read_files|', '0|x|-|{"paths":', '0|x|-|["a"]}']],
    [
      'the name with each part',
      ['0|x|read_files|', '0|x|read_files|{"paths":', '0|x|read_files|["a"]}', '0|x|read_files|'],
    ],
    ['the name without an id', ['0|x|read_files|{"paths":', '0||read_files|["a"]}']],
    ['empty ids and names', ['0|x|read_files|', `0|||${a}`, '0|||']],
    [
      'a new id with each part, as older versions of vLLM and LMDeploy send',
      ['0|x1|read_files|-', '0|x2|-|{"paths":', '0|x3|-|["a"]}', '0|x4|-|'],
    ],
    [
      'a new id with each part, and the name',
      [
        '0|x1|read_files|{"pa',
        '0|x2|read_files|ths":',
        '0|x3|read_files|["a"]',
        '0|x4|read_files|}',
      ],
    ],
    ['an end that only repeats the name', [`0|x|read_files|${a}`, '0|x|read_files|']],
  ])('%s', async (_title, parts) => {
    const chunks = streamOf(parts);
    const { text, counts } = await passed(chunks);

    expect(text).toBe(chunks.join(''));
    expect(counts).toMatch(/^unchanged=[12]$/);
  });
});

describe('a client gets each call', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    [
      'of Ollama: the index is always 0',
      [`0|x|read_files|${a}`, `0|y|list_files|${inFolder}`, `0|z|read_files|${b}`],
      [`x read_files ${a}`, `y list_files ${inFolder}`, `z read_files ${b}`],
    ],
    [
      'of the index 0, in pieces',
      ['0|x|read_files|', '0|-|-|{"paths":', '0|-|-|["a"]}', '0|y|read_files|', `0|-|-|${b}`],
      [`x read_files ${a}`, `y read_files ${b}`],
    ],
    [
      'of the index 0, with its id in each part',
      ['0|x|read_files|', `0|x|-|${a}`, '0|y|read_files|', `0|y|-|${b}`],
      [`x read_files ${a}`, `y read_files ${b}`],
    ],
    [
      'of Gemini: without an index',
      [`-|x|read_files|${a}`, `-|y|list_files|${inFolder}`],
      [`x read_files ${a}`, `y list_files ${inFolder}`],
    ],
    [
      'of Gemini: without an index, with empty ids',
      [`-||read_files|${a}`, `-||read_files|${b}`],
      [`* read_files ${a}`, `* read_files ${b}`],
    ],
    ['without an index, alone', [`-|x|read_files|${a}`], [`x read_files ${a}`]],
    [
      'without an index, in pieces',
      ['-|x|read_files|{"paths":', '-|-|-|["a"]}', '-|y|read_files|', `-|-|-|${b}`],
      [`x read_files ${a}`, `y read_files ${b}`],
    ],
    [
      'whose index is null',
      [`null|x|read_files|${a}`, `null|y|read_files|${b}`],
      [`x read_files ${a}`, `y read_files ${b}`],
    ],
    [
      'of the index 0 and without an id',
      [`0||read_files|${a}`, `0||read_files|${b}`, `0||list_files|${inFolder}`],
      [`* read_files ${a}`, `* read_files ${b}`, `* list_files ${inFolder}`],
    ],
    [
      'with the name in a part of its own',
      ['0|-|read_files|', `0|-|-|${a}`, '0|-|read_files|', `0|-|-|${b}`],
      [`* read_files ${a}`, `* read_files ${b}`],
    ],
    [
      'with empty ids, and the name with each part',
      [
        '0||read_files|',
        '0||read_files|{"paths":',
        '0||read_files|["a"]}',
        '0||read_files|',
        '0||read_files|{"paths":',
        '0||read_files|["b"]}',
      ],
      [`* read_files ${a}`, `* read_files ${b}`],
    ],
    [
      'with one id for all',
      [`0|x|read_files|${a}`, `0|x|read_files|${b}`],
      [`x read_files ${a}`, `x_2 read_files ${b}`],
    ],
    [
      'with one id for two indexes',
      [`0|x|read_files|${a}`, `1|x|read_files|${b}`],
      [`x read_files ${a}`, `x_2 read_files ${b}`],
    ],
    [
      'beside one that has its index',
      [`0|x|read_files|${a}`, `0|y|read_files|${b}`, `1|z|list_files|${inFolder}`],
      [`x read_files ${a}`, `y read_files ${b}`, `z list_files ${inFolder}`],
    ],
    [
      'whose id comes behind its name',
      ['0|-|read_files|{"paths":', '0|x|-|["a"]}'],
      [`x read_files ${a}`],
    ],
    ['whose name comes behind its id', ['0|x||', `0|x|read_files|${a}`], [`x read_files ${a}`]],
  ])('%s', async (_title, parts, calls) => {
    const { parts: sent, counts } = await passed(streamOf(parts));

    expect(callsOf(sent)).toEqual(calls);
    expect(counts).toContain('repaired=');
    expect(counts).toContain('separate_calls=');
  });

  test('of one chunk', async () => {
    const parts = [`0|x|read_files|${a}`, `0|y|read_files|${b}`].map(partOf);
    const { parts: sent } = await passed([
      chunkOf({ tool_calls: parts }, 'tool_calls'),
      'data: [DONE]\n\n',
    ]);

    expect(callsOf(sent)).toEqual([`x read_files ${a}`, `y read_files ${b}`]);
  });

  test('behind the end of its choice', async () => {
    const { parts } = await passed([
      chunkOf({ tool_calls: [partOf(`0||read_files|${a}`)] }, 'tool_calls'),
      chunkOf({ tool_calls: [partOf(`0||read_files|${b}`)] }, 'tool_calls'),
      'data: [DONE]\n\n',
    ]);

    expect(callsOf(parts)).toEqual([`* read_files ${a}`, `* read_files ${b}`]);
  });

  test('of one id, behind the end of its choice', async () => {
    const { parts } = await passed([
      chunkOf({ tool_calls: [partOf(`0|x|read_files|${a}`)] }, 'tool_calls'),
      chunkOf({ tool_calls: [partOf(`0|x|read_files|${b}`)] }, 'tool_calls'),
      'data: [DONE]\n\n',
    ]);

    expect(callsOf(parts)).toEqual([`x read_files ${a}`, `x_2 read_files ${b}`]);
  });

  test('of each choice', async () => {
    const chunk = (index: number, part: string): string =>
      `data: ${JSON.stringify({ choices: [{ index, delta: { tool_calls: [partOf(part)] } }] })}\n\n`;
    const { parts } = await passed([
      chunk(0, `0|x|read_files|${a}`),
      chunk(1, `0|x|read_files|${a}`),
      chunk(1, `0|y|read_files|${b}`),
      'data: [DONE]\n\n',
    ]);

    expect(parts.map(({ index, id }) => `${index} ${id}`)).toEqual(['0 x', '0 x', '1 y']);
  });

  test('that has to be repaired too', async () => {
    const { parts, counts } = await passed(
      streamOf(['0|x|read_files|{"paths":"a"}', '0|y|Read_Files|{"paths":', '0|-|-|"b"}']),
    );

    expect(callsOf(parts)).toEqual([`x read_files ${a}`, `y read_files ${b}`]);
    expect(counts).toBe('repaired=2 wrap_in_array=2 separate_calls=2 tool_name=1');
  });

  test('that can’t be repaired', async () => {
    const { parts, counts } = await passed(
      streamOf([`0|x|read_files|${a}`, '0|y|read_files|{"limit":1}', '0|z|remove|{}']),
    );

    expect(callsOf(parts)).toEqual([
      `x read_files ${a}`,
      'y read_files {"limit":1}',
      'z remove {}',
    ]);
    expect(counts).toContain('repaired=1');
    expect(counts).toContain('rejected=1');
    expect(counts).toContain('unknown_tool=1');
  });

  test('with what else belongs to it', async () => {
    const signature = { google: { thought_signature: 'sig' } };
    const { parts } = await passed([
      chunkOf({ tool_calls: [{ ...partOf(`-|x|read_files|${a}`), extra_content: signature }] }),
      chunkOf({ tool_calls: [partOf(`-|y|read_files|${b}`)] }),
      chunkOf({ tool_calls: [{ extra_content: signature }] }, 'stop'),
      'data: [DONE]\n\n',
    ]);

    expect(parts.map(({ index, extra_content }) => [index, extra_content])).toEqual([
      [0, signature],
      [1, undefined],
      [1, signature],
    ]);
  });

  test('beside a call of a custom tool', async () => {
    const custom = { index: 0, id: 'c', type: 'custom', custom: { name: 'sql', input: 'select' } };
    const { parts } = await passed([
      chunkOf({ tool_calls: [custom] }),
      ...streamOf([`1|x|read_files|${a}`, `1|y|read_files|${b}`]),
    ]);

    expect(parts.map(({ index, id }) => `${index} ${id}`)).toEqual(['0 c', '1 x', '2 y']);
  });
});

test('a part with nothing but the id belongs to its call', async () => {
  const chunks = [
    chunkOf({ tool_calls: [{ index: 0, id: 'x', type: 'function' }] }),
    ...streamOf([`0|-|read_files|${a}`]),
  ];
  const { parts } = await passed(chunks);

  expect(callsOf(parts)).toEqual([`x read_files ${a}`]);
});

test.each([
  ['missing', [undefined, undefined], ['*', '*']],
  ['empty', ['', ''], ['*', '*']],
  ['the same', ['x', 'x'], ['x', 'x_2']],
  ['of each call', ['x', 'y'], ['x', 'y']],
])('ids of a whole answer that are %s', async (_title, ids, expected) => {
  const tool_calls = ids.map((id, at) => ({
    ...(id === undefined ? {} : { id }),
    type: 'function',
    function: { name: 'read_files', arguments: at === 0 ? a : b },
  }));
  const message = { role: 'assistant', content: null, tool_calls };
  const answer = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] });
  const upstream = await startUpstream(() => ({ type: 'application/json', chunks: [answer] }));
  const { port } = await startTestGateway(upstream.origin);
  const { bytes, headers } = await ask(port, '/v1/chat/completions', { body });
  const sent: readonly Sent[] = JSON.parse(bytes.toString()).choices[0].message.tool_calls;

  expect(sent.map(({ id }) => (/^[a-z\d]{9}$/.test(id) ? '*' : id))).toEqual(expected);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(2);
  expect(sent.map(({ function: called }) => called.arguments)).toEqual([a, b]);
  if (expected[1] === 'y') expect(bytes.toString()).toBe(answer);
  else expect(headers['x-toolmend-calls']).toMatch(/^repaired=[12]$/);
});

test('the model is asked again with each call, and what belongs to it', async () => {
  const signature = { google: { thought_signature: 'sig' } };
  const chunks = [
    chunkOf({ tool_calls: [{ ...partOf(`0|x|read_files|${a}`), extra_content: signature }] }),
    chunkOf({ tool_calls: [partOf('0|y|read_files|{"limit":1}')] }, 'tool_calls'),
    'data: [DONE]\n\n',
  ];
  const upstream = await startUpstream((_received, index) => ({
    chunks: index === 0 ? chunks : streamOf([`0|z|read_files|${b}`]),
  }));
  const { port } = await startTestGateway(upstream.origin, { retries: 1 });
  await ask(port, '/v1/chat/completions', { body });
  const { messages } = JSON.parse(upstream.received[1]?.text ?? '{}');

  expect(messages[1].tool_calls).toEqual([
    {
      id: 'x',
      type: 'function',
      function: { name: 'read_files', arguments: a },
      extra_content: signature,
    },
    {
      id: 'y',
      type: 'function',
      function: { name: 'read_files', arguments: '{"limit":1}' },
    },
  ]);
});

test.each([
  ['in one part', ['0|x|read_files|{"paths":["a"]}{"paths":["b"]}']],
  ['in parts of their own', [`0|x|read_files|${a}`, `0|-|-|${b}`]],
  ['in parts without an index', [`-|x|read_files|${a}`, `-|-|-|${b}`]],
])('two objects %s, without another id or name, are one rejected call', async (_title, parts) => {
  const chunks = streamOf(parts);
  const upstream = await startUpstream(() => ({ chunks }));
  const record = new KeptRecord({ writeLine: undefined, contents: false });
  const { port } = await startTestGateway(upstream.origin, {}, record);
  const { bytes } = await ask(port, '/v1/chat/completions', { body });
  await record.added;
  const calls = record.ends.flatMap((end) => end.calls);

  expect(bytes.toString()).toContain(JSON.stringify(b).slice(1, -1));
  expect(calls.map(({ call }) => call.arguments)).toEqual([`${a}${b}`]);
  expect(calls[0]?.verdict).toMatchObject({
    kind: 'rejected',
    message: expect.stringContaining('more than one object was found, send only one'),
  });
});
