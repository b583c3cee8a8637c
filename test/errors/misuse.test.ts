import { CallReader, ToolRegistry, interpretArguments, readCalls, toolMessage } from 'toolmend';
import { McpServer } from '@modelcontextprotocol/server';
import { serveTools } from 'toolmend/mcp';
import { problemsOf } from '../classes/sample-tool.ts';
import { objectOf, text } from '../schemas.ts';
import { callOf, toolOf } from '../tools.ts';

const inputSchema = objectOf({ path: text });
const tools = new ToolRegistry().register(toolOf(() => 'text', { inputSchema }));
const call = callOf();

/** Calls a function as JavaScript may. */
const passing =
  (run: (...args: never[]) => unknown, ...args: readonly unknown[]) =>
  (): unknown =>
    Reflect.apply(run, undefined, args);

const notAnOutcome = 'toolMessage was not given an outcome: pass the outcome of tools.call.';
const notAServer =
  'serveTools was given something that is not an McpServer: write serveTools(server, tools).';
const noText = 'was given an object for the text: pass its content, a string.';
const aPromise = 'toolMessage was given a promise: write toolMessage(await tools.call(call)).';
const wrongOrder =
  'readCalls was given its arguments in the wrong order: write readCalls(text, tools).';
const answer = { role: 'assistant', content: 'Hello' };
const addPart = passing((part: string) => new CallReader(tools).add(part), answer);
const textAndValue = passing(interpretArguments, inputSchema, { text: '{}', value: {} });
const server = new McpServer({ name: 'files', version: '1' });

test.each<readonly [string, () => unknown, string]>([
  ['a promise of an outcome', passing(toolMessage, tools.call(call)), aPromise],
  ['null for an outcome', passing(toolMessage, null), notAnOutcome],
  ['a call for an outcome', passing(toolMessage, call), notAnOutcome],
  ['a message for the text of an answer', passing(readCalls, answer, tools), `readCalls ${noText}`],
  ['the tools before the text', passing(readCalls, tools, 'Hello'), wrongOrder],
  ['a part of a stream that is an object', addPart, `CallReader.add ${noText}`],
  [
    'arguments as text and value',
    textAndValue,
    'interpretArguments was given text and value: pass one.',
  ],
  ['an object for a server', passing(serveTools, {}, tools), notAServer],
  ['the tools before the server', passing(serveTools, tools, server), notAServer],
])('%s is refused', (_title, misuse, message) => {
  expect(problemsOf(misuse)).toEqual([message]);
});
