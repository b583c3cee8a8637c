// Runs the calls of the contract test outside vitest, for `npm run matrix`: node run-drivers.js
// DRIVER… Prints what is wrong.
import { askingCall, dispatchingCalls, sampleCalls } from './sample-calls.ts';

// What the scripted server takes of vitest.
const closers: (() => unknown)[] = [];
Object.assign(globalThis, { onTestFinished: (close: () => unknown) => closers.push(close) });

const { drivers } = await import('./drivers.ts');
const { assertFiles, assertReading } = await import('./assert-reading.ts');
const [, , ...names] = process.argv;
const chosen = drivers.filter(({ name }) => names.includes(name));
if (chosen.length !== names.length) throw new Error(`unknown driver among ${names.join(', ')}`);

let failures = 0;
for (const driver of chosen) {
  const readings = [...sampleCalls, askingCall, ...dispatchingCalls].map((call) => ({
    what: call.what,
    check: async () => assertReading(driver, call, await driver.run(call)),
  }));
  for (const { what, check } of [
    ...readings,
    { what: 'files in a result', check: () => assertFiles(driver) },
  ]) {
    try {
      await check();
    } catch (error) {
      failures += 1;
      if (failures === 1) console.log(`${driver.name}, ${what}: ${String(error)}`);
    }
    for (const close of closers.splice(0)) close();
  }
}
if (failures > 1) console.log(`and ${failures - 1} more`);
process.exit(failures === 0 ? 0 : 1);
