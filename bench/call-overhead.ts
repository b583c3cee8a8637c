import { defineTool, interpret, type RegistryOptions, type ToolCall, ToolRegistry } from 'toolmend';
import { openTelemetry } from 'toolmend/opentelemetry';
import type { Measured, MeasureSettings } from './measure.ts';
import { type AwaitedSubject, measureAwaited } from './measure-awaited.ts';
import { spanByHand, switchOff, switchOn } from './open-telemetry-sdk.ts';
import { type Goal, type Section, shown } from './section.ts';

/** Three microseconds, where an awaited empty async function takes some 0.06 of them. */
const mostTimes = 50;

const unit = 'an awaited empty async function';
const bare = 'interpret() and the bare handler';
const called = 'registry.call()';
const heard = 'registry.call(), with a listener';
const byHand = 'interpret() and the bare handler, in a span and a histogram made by hand';
const traced = 'registry.call(), with telemetry';

export async function callOverhead(settings: MeasureSettings): Promise<Section> {
  switchOn();
  const measured = await measureAwaited(subjects(), settings);
  await switchOff();
  const times = new Map(measured.map((one) => [one.name, one.timesAsLongAs(unit)]));
  const over = (name: string): number =>
    (times.get(name) ?? Number.NaN) - (times.get(bare) ?? Number.NaN);
  return {
    title: 'A call: registry.call() over interpret() and the bare handler',
    about:
      'Microseconds of processor time for one call of an async handler, and how many times as long as awaiting an empty async function. ' +
      'Telemetry is `openTelemetry()` with the SDK of OpenTelemetry for traces, metrics and context, whose spans ' +
      'are not exported. Overhead is what is left without interpretation and handler.',
    columns: ['', 'microseconds', 'times', 'overhead, times'],
    rows: measured.map((one) => row(one, over)),
    goals: [
      goalOf(
        `overhead of a call: at most ${mostTimes} times ${unit} (about 3 microseconds)`,
        over(called),
        1,
      ),
      goalOf('with telemetry: at most twice that', over(traced), 2),
      goalOf(
        'with telemetry, beside the same span made by hand: at most twice that',
        over(traced) - over(byHand),
        2,
      ),
    ],
  };
}

const row = (one: Measured, over: (name: string) => number): readonly string[] => [
  one.name,
  shown(one.microseconds),
  shown(one.timesAsLongAs(unit)),
  one.name === unit || one.name === bare ? '' : shown(over(one.name)),
];

const goalOf = (goal: string, overhead: number, factor: number): Goal => ({
  goal,
  measured: `${shown(overhead)} times`,
  isMet: overhead <= factor * mostTimes,
});

const call: ToolCall = {
  id: 'call_1',
  name: 'look_up',
  arguments: '{"path":"a","limit":3}',
  finishReason: 'stop',
};

function subjects(): readonly AwaitedSubject[] {
  const properties = { path: { type: 'string' }, limit: { type: 'integer' } } as const;
  const inputSchema = {
    type: 'object',
    properties,
    required: ['path'],
    additionalProperties: false,
  } as const;
  const handler = async (values: object): Promise<string> => `${Object.keys(values).length}`;
  const description = 'Looks something up.';
  const tool = defineTool({ name: 'look_up', description, inputSchema, execute: handler });
  const run = async (): Promise<string> => {
    const result = interpret(tool, call);
    if (result.status === 'rejected') throw new Error('a valid call is rejected');
    return handler(result.value);
  };
  const calls = (options: RegistryOptions): (() => Promise<unknown>) => {
    const tools = new ToolRegistry(options).register(tool);
    return () => tools.call(call);
  };
  return [
    { name: unit, run: async () => {} },
    { name: bare, run },
    { name: called, run: calls({}) },
    { name: heard, run: calls({ listeners: [{ onEvent: () => {} }] }) },
    { name: byHand, run: spanByHand(run) },
    { name: traced, run: calls({ telemetry: openTelemetry() }) },
  ];
}
