import { Ollama } from 'ollama';
import { ChatCollector, ollamaChat } from 'toolmend/ollama';
import { aborting } from '../google/wire.ts';
import { sent, type SentCall, type Turn, type Wire, type WireTurn } from '../wires.ts';

const response = (message: unknown, reason?: string | null) => ({
  model: 'scripted',
  created_at: '2026-01-01T00:00:00Z',
  message,
  done: reason !== undefined,
  ...(reason === undefined ? {} : { done_reason: reason }),
});

const message = (calls: readonly SentCall[], content = '') => ({
  role: 'assistant',
  content,
  tool_calls: calls.map(({ id, name, arguments: args }) => ({
    ...(id === undefined ? {} : { id }),
    function: { name, arguments: valueOf(args) },
  })),
});

/** Servers send objects. Text that isn't JSON stays text. */
function valueOf(args: unknown): unknown {
  if (typeof args !== 'string' || args === '') return args;
  try {
    return JSON.parse(args);
  } catch {
    return args;
  }
}

function ollamaTurn({ messages, outcomes }: Turn<ReturnType<typeof ollamaChat>>): WireTurn {
  const said = messages.filter(({ role }) => role === 'assistant');
  const calls = said.flatMap(({ tool_calls = [] }) => tool_calls);
  const results = messages.filter(({ role }) => role === 'tool');
  const notes = messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => content.split('\n'));
  const idOf = (value: object, key: string, index: number) =>
    String(Reflect.get(value, key) ?? outcomes[index]?.call.id);
  return {
    outcomes,
    calls: calls.map((call, index) => ({
      id: idOf(call, 'id', index),
      name: call.function.name,
      arguments: call.function.arguments,
    })),
    results: results.map((result, index) => ({
      id: idOf(result, 'tool_call_id', index),
      text: result.content,
      notes: notes.map((note) => note.replace(`On ${result.tool_name}: `, '')),
      isError: undefined,
    })),
  };
}

export const ollamaWire: Wire = {
  name: 'ollama',
  transport: 'lines',
  streamEnd: 'silent',
  hasStrict: false,
  streamsObjects: true,
  cutReasons: ['length'],
  normalReasons: ['stop', undefined],
  answer: (reason, ...calls) => response(message(calls), reason),
  events: (reason, ...calls) => [
    response(message([], 'I ')),
    response(message([], 'read.')),
    ...calls.map((call) => response(message([call]))),
    ...(reason === undefined ? [] : [response(message([]), reason)]),
  ],
  emptyEvents: [
    null,
    {},
    { message: null },
    response({}),
    response({ content: null, tool_calls: null }),
    response({ tool_calls: [null] }),
  ],
  emptyAnswers: [
    {},
    { message: null },
    response({}),
    response({ role: 'assistant', content: '' }),
    response({ role: 'assistant', content: '', tool_calls: null }),
    response({ role: 'assistant', content: '', tool_calls: [null] }),
  ],
  offer: (tools, options) => Reflect.apply(ollamaChat, undefined, [tools, options]).tools,
  async ask(tools, origin, how, options) {
    const client = new Ollama({ host: origin });
    const api = ollamaChat(tools);
    const question = {
      model: 'scripted',
      messages: [{ role: 'user', content: 'Go on.' }],
      tools: api.tools,
    };
    if (how === 'whole') return ollamaTurn(await api.answer(await client.chat(question), options));
    const stream = await client.chat({ ...question, stream: true });
    return ollamaTurn(
      await api.answer(
        typeof how === 'object' ? aborting(stream, how.abortAfter, stream) : stream,
        options,
      ),
    );
  },
  read: async (tools, answer) => ollamaTurn(await ollamaChat(tools).answer(sent(answer))),
  async collect(tools, events) {
    const collector = new ChatCollector();
    for (const one of events) collector.add(sent(one));
    return ollamaTurn(await ollamaChat(tools).answer(collector));
  },
  calls: (tools, answer) => ollamaChat(tools).calls(sent(answer)),
};
