// The same 30 calls through every adapter. The expectations are written by hand.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { matrixRows } from '../../../scripts/matrix/rows.ts';
import { projectFolder, readManifest } from '../../checks/project-folder.ts';
import { between, withBetween } from '../../repair/rule-listing.ts';
import { assertCustomTools, assertProviderOptions, assertStrict } from './assert-offer.ts';
import { assertPartialCalls } from './assert-partial-calls.ts';
import { assertFiles, assertReading } from './assert-reading.ts';
import { assertSecondTry } from './assert-second-try.ts';
import { bareRegistry, drivers, type ModelReading } from './drivers.ts';
import {
  type SampleCall,
  answeredCall,
  askingCall,
  dispatchingCalls,
  sampleCalls,
} from './sample-calls.ts';

const readings = new Map<string, ModelReading>();

describe.each(drivers)('$name', (driver) => {
  const { name } = driver;

  it.each(sampleCalls)('$kind: $what', async (call) => {
    const reading = await driver.run(call);
    readings.set(`${name} ${call.id}`, reading);
    await assertReading(driver, call, reading);
  });

  it('a tool asks a person, and the model reads that the call waits', async () => {
    await assertReading(driver, askingCall, await driver.run(askingCall));
  });

  it('a result has files, or texts in their places', () => assertFiles(driver));

  it('strict mode is asked for, or refused', () => assertStrict(driver));

  it('a text tool is a custom tool with its grammar, or a function', () =>
    assertCustomTools(driver));

  it('a tool has the members of its provider, and of no other', () =>
    assertProviderOptions(driver));

  it('a second try is forced, or the option is refused', () => assertSecondTry(driver));

  it('arguments are shown while they come, or the option is refused', () =>
    assertPartialCalls(driver));

  it.each(dispatchingCalls)('a tool that calls others: $what', async (call) => {
    await assertReading(driver, call, await driver.run(call));
  });
});

// Users of MCP clients answer by elicitation, which has tests of its own.
const elicitingDrivers = drivers.filter(({ elicits }) => elicits === true);

it.each(elicitingDrivers)('$name: a person answers while the caller waits', async (driver) => {
  const answers = [{ size: 'huge' }, { size: 'm' }];
  const reading = await driver.run(answeredCall, {
    elicit: () => ({ action: 'accept', content: answers.shift() }),
  });

  expect(answers).toEqual([]);
  await assertReading(driver, answeredCall, reading);
});

it('docs/reference/adapters.md says who decides about each call', () => {
  const docs = new URL('../../../docs/reference/adapters.md', import.meta.url);
  expect(readings.size).toBe(30 * drivers.length);
  const table = adapterTable();
  // To write the rows: UPDATE_DOCS=1 npm test -- test/adapters/contract
  if (process.env['UPDATE_DOCS'] === '1')
    writeFileSync(docs, withBetween(readFileSync(docs, 'utf8'), 'contract test', table));
  expect(between(readFileSync(docs, 'utf8'), 'contract test')).toBe(table);
});

describe('npm run matrix', () => {
  /** Adapters import the types of their SDK. The first SDK of MCP is known by its shape only. */
  const files = ['test/adapters/contract/drivers.ts', 'src/adapters/**/*.ts'];

  function peersOfAdapters(): readonly string[] {
    const imports = globSync(files, { cwd: projectFolder }).flatMap((file) => {
      const source = readFileSync(join(projectFolder, file), 'utf8');
      return [...source.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, name = '']) => name);
    });
    const { peerDependencies = {} } = readManifest(projectFolder);
    return Object.keys(peerDependencies).filter((peer) =>
      imports.some((name) => name === peer || name.startsWith(`${peer}/`)),
    );
  }

  it('has a row for each peer of an adapter, and no other row', () => {
    const peersWithRow = Object.entries(matrixRows).flatMap(([peer, { alike = [] }]) => [
      peer,
      ...alike,
    ]);
    expect(peersWithRow.toSorted()).toEqual(peersOfAdapters().toSorted());
  });

  it('runs each adapter once', () => {
    const driversInRows = Object.values(matrixRows).flatMap((row) => row.drivers);
    const driversOfAdapters = drivers.filter((driver) => driver !== bareRegistry);
    expect(driversInRows.toSorted()).toEqual(
      [...driversOfAdapters.map(({ name }) => name), 'OpenAI Agents'].toSorted(),
    );
  });
});

function adapterTable(): string {
  const head = ['', 'a call with', 'tool', 'the model reads', ...drivers.map(({ name }) => name)];
  const rows = sampleCalls.map((call) => [
    call.kind,
    call.what,
    `\`${call.tool}\``,
    outcomeOf(call),
    ...drivers.map(({ name }) => decision(call, readings.get(`${name} ${call.id}`))),
  ]);
  const lines = [head, head.map(() => '---'), ...rows].map(
    (cells) => `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`,
  );
  return ['', '<!-- prettier-ignore -->', ...lines, ''].join('\n');
}

function outcomeOf({ expected }: SampleCall): string {
  if (expected.outcome === 'refused') return 'a refusal';
  const hasNotes = expected.outcome === 'ran' && (expected.notes ?? []).length > 0;
  return hasNotes ? 'the result, and a note' : 'the result';
}

function decision({ expected }: SampleCall, reading: ModelReading | undefined): string {
  if (reading?.by !== 'sdk') return 'toolmend';
  return expected.outcome === 'refused' ? 'the SDK refuses' : 'the SDK refuses instead';
}
