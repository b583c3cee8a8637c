// What is special about Converse. What it has in common with other APIs is in turns.test.ts.
import type { ContentBlock, ConverseStreamOutput } from '@aws-sdk/client-bedrock-runtime';
import { ToolRegistry } from 'toolmend';
import { bedrockConverse, ConverseCollector } from 'toolmend/bedrock';
import { attachTexts, resultTools } from '../sample-results.ts';

const answer = (
  content: ContentBlock[],
  stopReason: 'tool_use' | 'malformed_tool_use' = 'tool_use',
) =>
  bedrockConverse(resultTools()).answer({
    output: { message: { role: 'assistant', content } },
    stopReason,
  });

const use = (name: string, input: { [key: string]: string } = {}): ContentBlock => ({
  toolUse: { toolUseId: 't1', name, input },
});

test('reasoning goes back with its signature, and blank text does not', async () => {
  const thought = {
    reasoningContent: { reasoningText: { text: 'Let me see.', signature: 'c2ln' } },
  };
  const { messages } = await answer([
    thought,
    { text: ' \n' },
    use('search', { query: 'a', limit: '5' }),
  ]);

  expect(messages).toEqual([
    {
      role: 'assistant',
      content: [
        thought,
        { toolUse: { toolUseId: 't1', name: 'search', input: { query: 'a', limit: 5 } } },
      ],
    },
    {
      role: 'user',
      content: [{ toolResult: { toolUseId: 't1', content: [{ text: 'found a' }] } }],
    },
  ]);
});

test('a stream keeps reasoning, redacted or signed', async () => {
  const redacted = new Uint8Array([1, 2]);
  const events = [
    { contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { text: 'Let ' } } } },
    { contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { text: 'me.' } } } },
    {
      contentBlockDelta: {
        contentBlockIndex: 0,
        delta: { reasoningContent: { signature: 'c2ln' } },
      },
    },
    {
      contentBlockDelta: {
        contentBlockIndex: 1,
        delta: { reasoningContent: { redactedContent: redacted } },
      },
    },
    { contentBlockDelta: { contentBlockIndex: 2, delta: { text: 'Hi' } } },
    { contentBlockDelta: { contentBlockIndex: 2, delta: { text: '.' } } },
    {
      contentBlockStart: {
        contentBlockIndex: 3,
        start: { toolUse: { toolUseId: 't1', name: 'search' } },
      },
    },
    { contentBlockDelta: { contentBlockIndex: 3, delta: { toolUse: { input: "{'query': " } } } },
    { contentBlockDelta: { contentBlockIndex: 3, delta: { toolUse: { input: "'a'}" } } } },
    { messageStop: { stopReason: 'tool_use' } },
  ] as ConverseStreamOutput[];
  const collector = new ConverseCollector();
  for (const event of events) collector.add(event);
  const { messages, outcomes } = await bedrockConverse(resultTools()).answer(collector);

  expect(outcomes).toMatchObject([
    { status: 'completed', call: { id: 't1', arguments: "{'query': 'a'}" } },
  ]);
  expect(messages[0]?.content).toEqual([
    { reasoningContent: { reasoningText: { text: 'Let me.', signature: 'c2ln' } } },
    { reasoningContent: { redactedContent: redacted } },
    { text: 'Hi.' },
    { toolUse: { toolUseId: 't1', name: 'search', input: { query: 'a' } } },
  ]);
});

describe("calls of the provider's own tools", () => {
  const type = 'server_tool_use' as const;
  const search = {
    toolUse: { toolUseId: 's1', name: 'web_search', input: { query: 'ink' }, type },
  };
  const found = {
    toolResult: { toolUseId: 's1', type: 'web_search', content: [{ text: 'Ink is 2.50.' }] },
  };
  const citation = { title: 'Shop', location: { web: { url: 'https://example.com' } } };
  const cited = {
    citationsContent: { content: [{ text: 'It costs 2.50.' }], citations: [citation] },
  };

  test('are not run, and go back with their results and citations', async () => {
    const { messages, outcomes } = await answer([
      search,
      found,
      cited,
      use('search', { query: 'a' }),
    ]);
    expect(outcomes).toMatchObject([{ status: 'completed', call: { id: 't1' } }]);
    expect(messages[0]?.content).toEqual([search, found, cited, use('search', { query: 'a' })]);
    expect(messages[1]?.content).toHaveLength(1);
  });

  test('are the same in a stream', async () => {
    const delta = (contentBlockIndex: number, part: object) => ({
      contentBlockDelta: { contentBlockIndex, delta: part },
    });
    const start = (contentBlockIndex: number, block: object) => ({
      contentBlockStart: { contentBlockIndex, start: block },
    });
    const collector = new ConverseCollector();
    const events = [
      start(0, { toolUse: { toolUseId: 's1', name: 'web_search', type: 'server_tool_use' } }),
      delta(0, { toolUse: { input: '{"query":"ink"}' } }),
      start(1, { toolResult: { toolUseId: 's1', type: 'web_search' } }),
      delta(1, { toolResult: [{ text: 'Ink is ' }] }),
      delta(1, { toolResult: [{ text: '2.50.' }] }),
      delta(2, { text: 'It costs ' }),
      delta(2, { citation }),
      delta(2, { text: '2.50.' }),
      { messageStop: { stopReason: 'end_turn' } },
    ] as ConverseStreamOutput[];
    for (const event of events) collector.add(event);
    const { messages, outcomes } = await bedrockConverse(resultTools()).answer(collector);
    expect(outcomes).toEqual([]);
    expect(messages).toEqual([{ role: 'assistant', content: [search, found, cited] }]);
  });
});

test('images are parts of the result, and a refused call has the status error', async () => {
  const chart = await answer([use('chart')]);
  const image = { format: 'png', source: { bytes: new Uint8Array([104, 105]) } };
  const content = [{ text: 'A chart.' }, { image }];
  expect(chart.messages[1]?.content).toEqual([{ toolResult: { toolUseId: 't1', content } }]);
  const refused = await answer([use('search')]);
  expect(refused.messages[1]?.content).toMatchObject([{ toolResult: { status: 'error' } }]);
});

test('documents are parts with names that the API takes, and texts stand in the places of other files', async () => {
  const { messages } = await answer([use('attach')]);
  const document = (format: string, name: string, text: string) => ({
    document: { format, name, source: { bytes: new TextEncoder().encode(text) } },
  });
  expect(messages[1]?.content?.[0]?.toolResult?.content).toEqual([
    { text: 'See the files.' },
    document('pdf', 'a b pdf (t1)', '%PDF'),
    document('csv', 'rows csv (t1)', 'a,b'),
    ...attachTexts.map((text) => ({ text })),
  ]);
});

test('an empty result has no blank text, which the provider refuses', async () => {
  const { messages } = await answer([use('empty')]);
  expect(messages[1]?.content).toEqual([{ toolResult: { toolUseId: 't1', content: [] } }]);
});

test('a call that the provider could not read is asked for again', async () => {
  const { messages, outcomes } = await answer([], 'malformed_tool_use');
  expect(outcomes).toEqual([]);
  const again = 'Your tool call was malformed and was not executed. Send the whole call again.';
  expect(messages).toEqual([{ role: 'user', content: [{ text: again }] }]);
});

test('the configuration of a request is left out without tools', () => {
  const { toolConfig } = bedrockConverse(resultTools());
  expect(toolConfig?.tools.map(({ toolSpec }) => toolSpec?.name)).toEqual([
    'chart',
    'search',
    'empty',
    'attach',
  ]);
  expect(bedrockConverse(new ToolRegistry()).toolConfig).toBeUndefined();
});
