import assert from 'node:assert/strict';
import { type AdapterDriver, bareRegistry, type ModelReading } from './drivers.ts';
import type { SampleCall } from './sample-calls.ts';

/** Throws unless the model reads through the driver what it reads from the registry. */
export async function assertReading(
  { decidedBySdk = {} }: AdapterDriver,
  call: SampleCall,
  { by, text, notes, isError }: ModelReading,
): Promise<void> {
  const { expected, what } = call;
  const refusal = decidedBySdk[what];
  if (refusal !== undefined) {
    assert.deepEqual({ by, text: text.slice(0, refusal.length) }, { by: 'sdk', text: refusal });
    return;
  }
  assert.equal(by, 'toolmend');
  if (expected.outcome === 'ran')
    assert.deepEqual({ text, notes }, { text: expected.result, notes: expected.notes ?? [] });
  else if (expected.outcome === 'waits')
    assert.deepEqual({ text, notes }, { text: expected.result, notes: [] });
  else {
    for (const said of [`${call.tool} was not executed.`, ...expected.says])
      assert.ok(text.includes(said), `${said} is not in ${text}`);
    if (expected.hides !== undefined)
      assert.ok(!text.includes(expected.hides), `${expected.hides} is shown`);
    assert.equal(text, (await bareRegistry.run(call)).text);
  }
  assert.ok([undefined, expected.outcome === 'refused'].includes(isError), `isError: ${isError}`);
}
