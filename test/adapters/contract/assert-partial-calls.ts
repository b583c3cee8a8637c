import assert from 'node:assert/strict';
import { DefinitionError, type PartialCall } from 'toolmend';
import { assertAbsence } from './assert-offer.ts';
import type { AdapterDriver } from './drivers.ts';
import { shownAfter, streamedCall } from './sample-calls.ts';
import { sampleTools } from './sample-tools.ts';

/** A listener is told of a call when it begins and with each piece, and gets nothing to run. */
export async function assertPartialCalls(driver: AdapterDriver): Promise<void> {
  if (typeof driver.partialCalls === 'string')
    return assertAbsence(driver, { onPartial: () => undefined }, driver.partialCalls);
  const partialCalls = await driver.partialCalls(streamedCall);
  const [begin, ...pieces] = partialCalls;
  assert.equal(begin?.delta, '');
  assert.ok(pieces.length > 1, `${pieces.length} pieces came`);
  let text = '';
  for (const call of partialCalls) {
    text += call.delta;
    const { callId, tool, partialArguments } = call;
    assert.deepEqual({ callId, tool }, { callId: streamedCall.id, tool: streamedCall.tool });
    assert.ok(Object.hasOwn(shownAfter, text), `${text} is no beginning of the call`);
    assert.deepEqual(partialArguments, shownAfter[text]);
    await assertNotRunnable(call);
  }
  assert.equal(text, streamedCall.text);
}

async function assertNotRunnable(call: PartialCall): Promise<void> {
  const tools = sampleTools();
  await assert.rejects(Reflect.apply(tools.call, tools, [call]), DefinitionError);
}
