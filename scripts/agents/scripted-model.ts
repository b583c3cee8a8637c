// A model's server that makes the same mistakes in each agent: it asks to read four files, with a
// fault in each call, in the three APIs that agents use.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Server } from 'node:net';
import { join } from 'node:path';

/** The files of the task, each with a word that only it has. */
export const taskFiles = {
  'one.txt': 'ALPHA-11',
  'two.txt': 'BETA-22',
  'three.txt': 'GAMMA-33',
  'four.txt': 'DELTA-44',
} as const;

export const task = 'Read one.txt, two.txt, three.txt and four.txt.';

export interface ScriptedModel {
  readonly origin: string;
  /** Files whose content came back to the model: calls that ran. */
  readonly filesRead: ReadonlySet<string>;
  /** Calls that were sent. */
  readonly calls: number;
  close(): void;
}

interface OfferedTool {
  readonly name: string;
  readonly schema: {
    readonly properties?: { readonly [key: string]: PropertySchema };
    readonly required?: readonly string[];
  };
}

interface PropertySchema {
  readonly type?: unknown;
  readonly items?: { readonly properties?: { readonly path?: object } };
}

interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** Starts the server. `folder` has the files of the task. */
export async function startScriptedModel(folder: string): Promise<ScriptedModel> {
  const filesRead = new Set<string>();
  let calls = 0;
  const server = createServer((request, response) => {
    void bodyOf(request).then((text) => {
      for (const [file, word] of Object.entries(taskFiles))
        if (text.includes(word)) filesRead.add(file);
      const api = apis.find(({ path }) => request.url?.split('?')[0]?.endsWith(path));
      if (request.method !== 'POST' || api === undefined) {
        sendJson(response, { object: 'list', data: [{ id: 'm', object: 'model' }], models: [] });
        return;
      }
      const body = JSON.parse(text === '' ? '{}' : text);
      const tool = readerIn(api.toolsOf(body));
      const file = Object.keys(taskFiles)[calls];
      const call =
        tool === undefined || file === undefined
          ? undefined
          : {
              id: `call_${calls}`,
              name: tool.name,
              text: faultyText(tool, join(folder, file), calls),
            };
      if (call !== undefined) calls += 1;
      if (body.stream === true) sendEvents(response, api.events(call));
      else sendJson(response, api.whole(call));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${portOf(server)}`,
    filesRead,
    get calls() {
      return calls;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The port on which a server listens. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
}

/** The tool that reads files, else one that runs commands. */
const readerIn = (tools: readonly OfferedTool[]): OfferedTool | undefined =>
  tools.find(({ name }) => /^(?:read|view|readfile|read_?files?|read_file_content)$/i.test(name)) ??
  tools.find(({ name }) =>
    /^(?:bash|shell|exec_command|run_commands?|run_shell_command)$/i.test(name),
  );

/** Each call has a fault of its own, and one meaning. */
function faultyText({ schema }: OfferedTool, path: string, index: number): string {
  const properties = Object.entries(schema.properties ?? {});
  const typeOf = (wanted: RegExp) => (entry: (typeof properties)[number]) =>
    wanted.test(JSON.stringify(entry[1].type ?? ''));
  const isRequired = ([key]: (typeof properties)[number]): boolean =>
    schema.required?.includes(key) === true;
  const main =
    properties.find(([key]) => /^(?:.*path|file|files|.*command|.*commands|cmd)$/i.test(key)) ??
    properties.find(isRequired);
  const key = main?.[0] ?? 'path';
  const value = /command|cmd/i.test(key) ? `cat ${path}` : path;
  const element = main?.[1].items?.properties?.path === undefined ? value : { path: value };
  const sent = JSON.stringify(main?.[1].type === 'array' ? [element] : value);
  const name = JSON.stringify(key);
  const optional = properties.filter((entry) => !isRequired(entry) && entry !== main);
  const number = optional
    .filter(([other]) => !/offset|start|begin|page|line/i.test(other))
    .find(typeOf(/number|integer/));
  switch (index) {
    case 0: // a number as text
      return number === undefined
        ? `{${name}: ${sent},}`
        : `{${name}: ${sent}, ${JSON.stringify(number[0])}: "1000"}`;
    case 1: // null for what may be absent
      return `{${[`${name}: ${sent}`, ...optional.slice(0, 2).map(([other]) => `${JSON.stringify(other)}: null`)].join(', ')}}`;
    case 2: // the key in another spelling
      return `{${JSON.stringify(otherSpelling(key))}: ${sent}}`;
    default: // JSON with single quotes and a comma at the end
      return `{'${key}': ${sent},}`;
  }
}

function otherSpelling(key: string): string {
  if (key.includes('_'))
    return key.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
  const snake = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return snake === key ? key.replace(/^./, (letter) => letter.toUpperCase()) : snake;
}

interface Api {
  readonly path: string;
  toolsOf(body: RequestBody): readonly OfferedTool[];
  whole(call: ScriptedCall | undefined): object;
  events(call: ScriptedCall | undefined): readonly object[];
}

interface RequestBody {
  readonly tools?: readonly {
    readonly name?: string;
    readonly parameters?: OfferedTool['schema'];
    readonly input_schema?: OfferedTool['schema'];
    readonly function?: { readonly name: string; readonly parameters?: OfferedTool['schema'] };
  }[];
}

const done = 'That is all.';

const toolsOf = ({ tools = [] }: RequestBody): readonly OfferedTool[] =>
  tools.flatMap((tool) => {
    const { name, parameters, input_schema: schema } = { ...tool, ...tool.function };
    return name === undefined ? [] : [{ name, schema: parameters ?? schema ?? {} }];
  });

const chatHead = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const chatCall = ({ id, name, text }: ScriptedCall): object => ({
  id,
  type: 'function',
  function: { name, arguments: text },
});

const chatCompletions: Api = {
  path: '/chat/completions',
  toolsOf,
  whole: (call) => ({
    ...chatHead,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message:
          call === undefined
            ? { role: 'assistant', content: done }
            : { role: 'assistant', content: null, tool_calls: [chatCall(call)] },
        finish_reason: call === undefined ? 'stop' : 'tool_calls',
      },
    ],
    usage,
  }),
  events: (call) => {
    const delta =
      call === undefined ? { content: done } : { tool_calls: [{ index: 0, ...chatCall(call) }] };
    const chunk = (part: object, reason: string | null): object => ({
      ...chatHead,
      choices: [{ index: 0, delta: part, finish_reason: reason }],
    });
    return [
      chunk({ role: 'assistant', content: '' }, null),
      chunk(delta, null),
      { ...chunk({}, call === undefined ? 'stop' : 'tool_calls'), usage },
    ];
  },
};

const message = (call: ScriptedCall | undefined, content: readonly object[]): object => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content,
  stop_reason: call === undefined ? 'end_turn' : 'tool_use',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
});

const messages: Api = {
  path: '/messages',
  toolsOf,
  // Its arguments are a value: only a stream can have broken JSON.
  whole: () => message(undefined, [{ type: 'text', text: done }]),
  events: (call) => {
    const block =
      call === undefined
        ? { type: 'text', text: '' }
        : { type: 'tool_use', id: call.id, name: call.name, input: {} };
    const delta =
      call === undefined
        ? { type: 'text_delta', text: done }
        : { type: 'input_json_delta', partial_json: call.text };
    return [
      { type: 'message_start', message: message(undefined, []) },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: call === undefined ? 'end_turn' : 'tool_use', stop_sequence: null },
        usage: { output_tokens: 1 },
      },
      { type: 'message_stop' },
    ];
  },
};

const item = (call: ScriptedCall | undefined): object =>
  call === undefined
    ? {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: done, annotations: [] }],
      }
    : {
        type: 'function_call',
        id: `fc_${call.id}`,
        call_id: call.id,
        name: call.name,
        arguments: call.text,
        status: 'completed',
      };

const response = (output: readonly object[], status: string): object => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'm',
  status,
  output,
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
});

const responses: Api = {
  path: '/responses',
  toolsOf,
  whole: (call) => response([item(call)], 'completed'),
  events: (call) => [
    { type: 'response.created', response: response([], 'in_progress') },
    { type: 'response.output_item.added', output_index: 0, item: item(call) },
    { type: 'response.output_item.done', output_index: 0, item: item(call) },
    { type: 'response.completed', response: response([item(call)], 'completed') },
  ],
};

const apis: readonly Api[] = [chatCompletions, messages, responses];

function sendJson(answer: ServerResponse, value: object): void {
  answer.writeHead(200, { 'content-type': 'application/json' });
  answer.end(JSON.stringify(value));
}

function sendEvents(answer: ServerResponse, events: readonly object[]): void {
  answer.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    const name = 'type' in event ? `event: ${String(event.type)}\n` : '';
    answer.write(`${name}data: ${JSON.stringify(event)}\n\n`);
  }
  answer.end('data: [DONE]\n\n');
}
