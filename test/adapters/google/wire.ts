import { GoogleGenAI } from '@google/genai';
import { ContentCollector, googleContents } from 'toolmend/google';
import { sent, type SentCall, type Turn, type Wire, type WireTurn } from '../wires.ts';

const response = (parts: unknown, reason?: string | null) => ({
  modelVersion: 'scripted',
  candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: reason }],
});

const functionCall = ({ id, name, arguments: args }: SentCall) => ({
  functionCall: { ...(id === undefined ? {} : { id }), name, args: valueOf(args) },
});

/** Models send objects. Text that isn't JSON stays text. */
function valueOf(args: unknown): unknown {
  if (typeof args !== 'string' || args === '') return args;
  try {
    return JSON.parse(args);
  } catch {
    return args;
  }
}

function googleTurn({
  contents,
  outcomes,
  allowedFunctionNames,
}: Turn<ReturnType<typeof googleContents>>): WireTurn {
  const parts = contents.flatMap((content) => content.parts ?? []);
  const calls = parts.flatMap((part) =>
    part.functionCall === undefined ? [] : [part.functionCall],
  );
  const results = parts.flatMap((part) =>
    part.functionResponse === undefined ? [] : [part.functionResponse],
  );
  const idOf = (id: string | undefined, index: number) => id ?? outcomes[index]?.call.id ?? '';
  return {
    outcomes,
    toolChoice: allowedFunctionNames,
    calls: calls.map(({ id, name = '', args }, index) => ({
      id: idOf(id, index),
      name,
      arguments: args,
    })),
    results: results.map(({ id, response: said = {} }, index) => ({
      id: idOf(id, index),
      text: String(said['output'] ?? said['error']),
      notes: (said['notes'] ?? []) as readonly string[],
      isError: 'error' in said,
      files: parts.flatMap(({ inlineData: data }) =>
        data === undefined ? [] : [`${data.mimeType} ${data.data}`],
      ),
    })),
  };
}

export const googleWire: Wire = {
  name: 'google',
  streamEnd: 'silent',
  hasStrict: false,
  streamsObjects: true,
  cutReasons: ['MAX_TOKENS', 'SAFETY'],
  normalReasons: ['STOP', undefined],
  answer: (reason, ...calls) => response(calls.map(functionCall), reason),
  events: (reason, ...calls) => [
    response([{ text: 'I ' }]),
    response([{ text: 'read.' }]),
    ...calls.map((call) => response([functionCall(call)])),
    ...(reason === undefined ? [] : [response([], reason)]),
  ],
  emptyEvents: [
    null,
    {},
    { candidates: null },
    { candidates: [null] },
    response(null),
    response([null]),
    response({}),
  ],
  emptyAnswers: [
    {},
    { candidates: null },
    { candidates: [] },
    { candidates: [null] },
    { candidates: [{ content: null }] },
    response(null),
    response([]),
    response([null]),
  ],
  offer: (tools, options) =>
    googleContents(tools, options).tools.flatMap((tool) => tool.functionDeclarations),
  async ask(tools, origin, how, options) {
    const { models } = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: origin } });
    const api = googleContents(tools);
    const controller = new AbortController();
    const question = {
      model: 'scripted',
      contents: 'Go on.',
      config: { tools: api.tools, abortSignal: controller.signal },
    };
    if (how === 'whole')
      return googleTurn(await api.answer(await models.generateContent(question), options));
    const stream = await models.generateContentStream(question);
    return googleTurn(
      await api.answer(
        typeof how === 'object' ? aborting(stream, how.abortAfter, controller) : stream,
        options,
      ),
    );
  },
  read: async (tools, answer) => googleTurn(await googleContents(tools).answer(sent(answer))),
  async collect(tools, events) {
    const collector = new ContentCollector();
    for (const one of events) collector.add(sent(one));
    return googleTurn(await googleContents(tools).answer(collector));
  },
  calls: (tools, answer) => googleContents(tools).calls(sent(answer)),
};

/** The stream, whose request is aborted after some events. */
export async function* aborting<Event>(
  stream: AsyncIterable<Event>,
  count: number,
  controller: { abort(): void },
): AsyncGenerator<Event> {
  let seen = 0;
  for await (const event of stream) {
    yield event;
    seen += 1;
    if (seen === count) controller.abort();
  }
}
