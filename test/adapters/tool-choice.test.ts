// After a turn whose only call was wrong, the model can be made to call the same tool again.
import { ToolRegistry } from 'toolmend';
import { closedTool } from '../tools.ts';
import { type SentCall, type Wire, bedrockWire, googleWire, sent, wires } from './wires.ts';

const tools = new ToolRegistry({ hints: 'off' }).register(
  closedTool(
    'read_files',
    (values) => values,
    { paths: { type: 'array', items: { type: 'string' } } },
    { required: ['paths'] },
  ),
);

const wireOf = (start: string): Wire => {
  const wire = wires.find(({ name }) => name.startsWith(start));
  if (wire === undefined) throw new Error(`There is no wire ${start}.`);
  return wire;
};

interface Api {
  readonly wire: Wire;
  readonly named: unknown;
  /** Adds the thoughts of the model to an answer; undefined if they don't matter. */
  readonly withThoughts?: (answer: object) => object;
}

const apis: Readonly<Record<string, Api>> = {
  'Chat Completions': {
    wire: wireOf('openai, chat'),
    named: { type: 'function', function: { name: 'read_files' } },
    withThoughts(answer) {
      const copy = sent(answer);
      copy.choices[0].message.reasoning_content = 'Which files?';
      return copy;
    },
  },
  Responses: {
    wire: wireOf('openai, responses'),
    named: { type: 'function', name: 'read_files' },
  },
  Messages: {
    wire: wireOf('anthropic'),
    named: { type: 'tool', name: 'read_files' },
    withThoughts(answer) {
      const { content, ...rest } = sent(answer);
      return {
        ...rest,
        content: [{ type: 'thinking', thinking: 'Hm.', signature: 's' }, ...content],
      };
    },
  },
  Converse: {
    wire: bedrockWire,
    named: { tool: { name: 'read_files' } },
    withThoughts(answer) {
      const copy = sent(answer);
      const thought = { reasoningContent: { reasoningText: { text: 'Hm.', signature: 's' } } };
      copy.output.message.content.unshift(thought);
      return copy;
    },
  },
  Gemini: {
    wire: googleWire,
    named: ['read_files'],
  },
};

const call = (id: string, args: unknown, name = 'read_files'): SentCall => ({
  id,
  name,
  arguments: args,
});
const wrong = { limit: 'many' };

describe.each(Object.entries(apis))('%s', (_name, { wire, named, withThoughts }) => {
  const [reason] = wire.normalReasons;
  const choice = async (answer: unknown) => (await wire.read(tools, answer)).toolChoice;
  const choiceAfter = (...calls: readonly SentCall[]) => choice(wire.answer(reason, ...calls));

  it('names no tool after a valid or repaired call, and after none', async () => {
    expect(await choiceAfter(call('1', { paths: ['a'] }))).toBeUndefined();
    expect(await choiceAfter(call('1', { paths: 'a' }))).toBeUndefined();
    expect(await choiceAfter()).toBeUndefined();
  });

  it('names the tool of a wrong call, by its own name', async () => {
    expect(await choiceAfter(call('1', wrong))).toEqual(named);
    expect(await choiceAfter(call('1', wrong, 'readFiles'))).toEqual(named);
  });

  it('names none of several calls, and no tool that there is not', async () => {
    expect(await choiceAfter(call('1', wrong), call('2', { paths: ['a'] }))).toBeUndefined();
    expect(await choiceAfter(call('1', wrong, 'fly_to_the_moon'))).toBeUndefined();
  });

  if (withThoughts !== undefined)
    it('names no tool for a model that thinks', async () => {
      const answer = withThoughts(wire.answer(reason, call('1', wrong)));
      expect(await choice(answer)).toBeUndefined();
    });
});
