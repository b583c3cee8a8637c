// Runs the calls of the contract test outside vitest, for `npm run matrix`: node run-drivers.js
// DRIVER… Prints what is wrong.
import assert from 'node:assert/strict';
import { askingCall, dispatchingCalls, sampleCalls } from './sample-calls.ts';

// What the scripted server takes of vitest.
const closers: (() => unknown)[] = [];
Object.assign(globalThis, { onTestFinished: (close: () => unknown) => closers.push(close) });

const { drivers } = await import('./drivers.ts');
const { assertCustomTools, assertProviderOptions, assertStrict } =
  await import('./assert-offer.ts');
const { assertPartialCalls } = await import('./assert-partial-calls.ts');
const { assertSecondTry } = await import('./assert-second-try.ts');
const { assertFiles, assertReading } = await import('./assert-reading.ts');
const { agentCalls, valuesThroughAgent } = await import('../openai-agents/agent-calls.ts');

interface Check {
  readonly what: string;
  /** Rejects with what is wrong. */
  run(): Promise<void>;
}

const checks = new Map<string, readonly Check[]>(
  drivers.map((driver) => [
    driver.name,
    [
      ...[...sampleCalls, askingCall, ...dispatchingCalls].map((call) => ({
        what: call.what,
        run: async () => assertReading(driver, call, await driver.run(call)),
      })),
      { what: 'files in a result', run: () => assertFiles(driver) },
      { what: 'strict mode', run: () => assertStrict(driver) },
      { what: 'custom tools', run: () => assertCustomTools(driver) },
      { what: 'members of a provider', run: () => assertProviderOptions(driver) },
      { what: 'a forced second try', run: () => assertSecondTry(driver) },
      { what: 'arguments while they come', run: () => assertPartialCalls(driver) },
    ],
  ]),
);
// It repairs calls of tools that are not toolmend's.
checks.set(
  'OpenAI Agents',
  agentCalls.map(({ what, text, values }) => ({
    what,
    run: async () => assert.deepEqual(await valuesThroughAgent(text), values),
  })),
);

let failures = 0;
for (const name of process.argv.slice(2)) {
  const checksOfDriver = checks.get(name);
  if (checksOfDriver === undefined) throw new Error(`unknown driver ${name}`);
  for (const { what, run } of checksOfDriver) {
    try {
      await run();
    } catch (error) {
      failures += 1;
      if (failures === 1) console.log(`${name}, ${what}: ${String(error)}`);
    }
    for (const close of closers.splice(0)) close();
  }
}
if (failures > 1) console.log(`and ${failures - 1} more`);
process.exit(failures === 0 ? 0 : 1);
