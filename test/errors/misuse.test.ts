import {
  CallReader,
  DefinitionError,
  ToolRegistry,
  defineTool,
  interpretArguments,
  readCalls,
  toolMessage,
} from 'toolmend';
import { McpServer } from '@modelcontextprotocol/server';
import { serveTools } from 'toolmend/mcp';

const inputSchema = { type: 'object', properties: { path: { type: 'string' } } } as const;
const tools = new ToolRegistry().register(
  defineTool({ name: 'read', description: 'Reads.', inputSchema, execute: () => 'text' }),
);
const call = { id: 'call_1', name: 'read', arguments: { path: 'a' } };

/** Calls a function as JavaScript may. */
const passing =
  (run: (...given: never[]) => unknown, ...given: readonly unknown[]) =>
  (): unknown =>
    Reflect.apply(run, undefined, given);

const notAnOutcome = 'toolMessage was not given an outcome: pass the outcome of tools.call.';
const notAServer =
  'serveTools was given something that is not an McpServer: write serveTools(server, tools).';

test.each<readonly [string, () => unknown, string]>([
  [
    'a promise of an outcome',
    passing(toolMessage, tools.call(call)),
    'toolMessage was given a promise: write toolMessage(await tools.call(call)).',
  ],
  ['null for an outcome', passing(toolMessage, null), notAnOutcome],
  ['a call for an outcome', passing(toolMessage, call), notAnOutcome],
  [
    'a message for the text of an answer',
    passing(readCalls, { role: 'assistant', content: 'Hello' }, tools),
    'readCalls was given an object for the text: pass its content, a string.',
  ],
  [
    'the tools before the text',
    passing(readCalls, tools, 'Hello'),
    'readCalls was given its arguments in the wrong order: write readCalls(text, tools).',
  ],
  [
    'a part of a stream that is an object',
    passing((part: string) => new CallReader(tools).add(part), { text: 'Hello' }),
    'CallReader.add was given an object for the text: pass its content, a string.',
  ],
  [
    'arguments as text and as a value',
    passing(interpretArguments, inputSchema, { text: '{}', value: {} }),
    'interpretArguments was given text and value: pass one.',
  ],
  ['an object for a server', passing(serveTools, {}, tools), notAServer],
  [
    'the tools before the server',
    passing(serveTools, tools, new McpServer({ name: 'files', version: '1' })),
    notAServer,
  ],
])('%s is refused', (_title, misuse, message) => {
  const thrown = caught(misuse);
  expect(thrown).toBeInstanceOf(DefinitionError);
  expect(thrown).toHaveProperty('message', message);
});

function caught(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
