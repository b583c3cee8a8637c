import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime';
import { bedrockConverse, ConverseCollector } from 'toolmend/bedrock';
import { aborting } from '../google/wire.ts';
import {
  halves,
  partialCallsOf,
  sent,
  type SentCall,
  type Turn,
  type Wire,
  type WireTurn,
} from '../wires.ts';

const response = (content: unknown, stopReason: unknown) => ({
  output: { message: { role: 'assistant', content } },
  stopReason,
  usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
  metrics: { latencyMs: 1 },
});

const toolUse = ({ id, name, arguments: args }: SentCall) => ({
  toolUse: {
    toolUseId: id,
    name,
    input: typeof args === 'string' && args !== '' ? JSON.parse(args) : args,
  },
});

const delta = (contentBlockIndex: number, part: unknown) => ({
  contentBlockDelta: { contentBlockIndex, delta: part },
});

function bedrockTurn({
  messages,
  outcomes,
  toolChoice,
}: Turn<ReturnType<typeof bedrockConverse>>): WireTurn {
  const blocks = messages.flatMap(({ content = [] }) => content);
  return {
    outcomes,
    toolChoice,
    calls: blocks.flatMap(({ toolUse: use }) =>
      use === undefined
        ? []
        : [{ id: use.toolUseId ?? '', name: use.name ?? '', arguments: use.input }],
    ),
    results: blocks.flatMap(({ toolResult: result }) => {
      if (result === undefined) return [];
      const [text = '', ...notes] = (result.content ?? []).flatMap((part) => part.text ?? []);
      const files = (result.content ?? []).flatMap(({ document }) =>
        document?.source?.bytes === undefined
          ? []
          : [
              `application/${document.format} ${Buffer.from(document.source.bytes).toString('base64')}`,
            ],
      );
      return [
        { id: result.toolUseId ?? '', text, notes, isError: result.status === 'error', files },
      ];
    }),
  };
}

const clientOf = (endpoint: string): BedrockRuntimeClient =>
  new BedrockRuntimeClient({
    region: 'us-east-1',
    endpoint,
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    maxAttempts: 1,
  });

const questionWith = ({ toolConfig }: ReturnType<typeof bedrockConverse>) => ({
  modelId: 'scripted',
  messages: [{ role: 'user' as const, content: [{ text: 'Go on.' }] }],
  toolConfig,
});

export const bedrockWire: Wire = {
  name: 'bedrock',
  transport: 'aws',
  streamEnd: 'silent',
  isUnnamed: true,
  hasStrict: true,
  cutReasons: [
    'max_tokens',
    'content_filtered',
    'guardrail_intervened',
    'model_context_window_exceeded',
  ],
  normalReasons: ['tool_use', 'end_turn', undefined],
  answer: (reason, ...calls) => response(calls.map(toolUse), reason),
  events: (reason, ...calls) => [
    { messageStart: { role: 'assistant' } },
    delta(0, { text: 'I ' }),
    delta(0, { text: 'read.' }),
    { contentBlockStop: { contentBlockIndex: 0 } },
    ...calls.flatMap(({ id, name, arguments: text }, index) => [
      {
        contentBlockStart: {
          contentBlockIndex: index + 1,
          start: { toolUse: { toolUseId: id, name } },
        },
      },
      ...halves(text).map((half) => delta(index + 1, { toolUse: { input: half } })),
      { contentBlockStop: { contentBlockIndex: index + 1 } },
    ]),
    ...(reason === undefined
      ? []
      : [
          { messageStop: { stopReason: reason } },
          { metadata: { usage: {}, metrics: { latencyMs: 1 } } },
        ]),
  ],
  emptyEvents: [
    null,
    {},
    { contentBlockStart: null },
    { contentBlockStart: { contentBlockIndex: 7, start: null } },
    { contentBlockDelta: null },
    delta(1, null),
    delta(1, {}),
    delta(1, { toolUse: { input: null } }),
    { messageStop: null },
  ],
  emptyAnswers: [
    {},
    { output: null },
    { output: { message: null } },
    response(null, 'end_turn'),
    response([], 'end_turn'),
    response([null], 'end_turn'),
    response([{ text: '' }], 'end_turn'),
  ],
  offer: (tools, options) => bedrockConverse(tools, options).toolConfig?.tools ?? [],
  async ask(tools, origin, how, options) {
    const client = clientOf(origin);
    const api = bedrockConverse(tools);
    const { answer } = api;
    const question = questionWith(api);
    try {
      if (how === 'whole')
        return bedrockTurn(await answer(await client.send(new ConverseCommand(question)), options));
      const controller = new AbortController();
      const streamed = await client.send(new ConverseStreamCommand(question), {
        abortSignal: controller.signal,
      });
      return bedrockTurn(
        await answer(
          typeof how === 'object' && streamed.stream !== undefined
            ? aborting(streamed.stream, how.abortAfter, controller)
            : streamed,
          options,
        ),
      );
    } finally {
      client.destroy();
    }
  },
  async partialCalls(tools, origin) {
    const client = clientOf(origin);
    try {
      const question = questionWith(bedrockConverse(tools));
      const { stream = [] } = await client.send(new ConverseStreamCommand(question));
      return await partialCallsOf(new ConverseCollector(), stream);
    } finally {
      client.destroy();
    }
  },
  read: async (tools, answer) => bedrockTurn(await bedrockConverse(tools).answer(sent(answer))),
  async collect(tools, events) {
    const collector = new ConverseCollector();
    for (const one of events) collector.add(sent(one));
    return bedrockTurn(await bedrockConverse(tools).answer(collector));
  },
  calls: (tools, answer, strict) => bedrockConverse(tools, { strict }).calls(sent(answer)),
};
