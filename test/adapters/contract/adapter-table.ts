// What does docs/reference/adapters.md say of the contract test? One row a call, one column an adapter: who decided.
import type { AdapterDriver, ModelReading } from './adapter-driver.ts';
import type { SampleCall } from './sample-calls.ts';

/** By adapter and by the call's id. */
export type Readings = ReadonlyMap<AdapterDriver, ReadonlyMap<string, ModelReading>>;

export function adapterTable(calls: readonly SampleCall[], readings: Readings): string {
  const drivers = [...readings.keys()];
  const head = ['', 'a call with', 'tool', 'the model reads', ...drivers.map(({ name }) => name)];
  const rows = calls.map((call) => [
    call.kind,
    call.what,
    `\`${call.tool}\``,
    outcomeOf(call),
    ...drivers.map((driver) => decision(call, readings.get(driver)?.get(call.id))),
  ]);
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`);
  return ['', '<!-- prettier-ignore -->', ...lines, ''].join('\n');
}

function outcomeOf({ expected }: SampleCall): string {
  if (expected.outcome === 'refused') return 'a refusal';
  return (expected.notes ?? []).length === 0 ? 'the result' : 'the result, and a note';
}

function decision(call: SampleCall, reading: ModelReading | undefined): string {
  if (reading === undefined) return '';
  if (reading.by === 'toolmend') return 'toolmend';
  return call.expected.outcome === 'refused' ? 'the SDK refuses' : 'the SDK refuses instead';
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
