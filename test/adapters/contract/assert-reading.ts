import assert from 'node:assert/strict';
import { type AdapterDriver, bareRegistry, type ModelReading } from './drivers.ts';
import { exportedFiles, exportingCall, type SampleCall } from './sample-calls.ts';

/** Throws unless the provider gets the files that its adapter carries, and the model a text for others. */
export async function assertFiles(driver: AdapterDriver): Promise<void> {
  const { text, notes, files } = await driver.run(exportingCall);
  const { carries = [] } = driver;
  const listed = [exportedFiles.pdf, exportedFiles.audio, exportedFiles.link];
  const isCarried = (file: (typeof listed)[number]): boolean =>
    carries.some((name) => exportedFiles[name] === file);
  const unshown = listed.filter((file) => !isCarried(file));
  assert.equal(text, 'a report of 3 pages');
  assert.deepEqual(
    files,
    listed.filter(isCarried).map(({ carried }) => carried),
  );
  // Ollama's notes are lines of one message.
  assert.equal(notes.join('\n'), unshown.map((file) => file.text).join('\n'));
}

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
