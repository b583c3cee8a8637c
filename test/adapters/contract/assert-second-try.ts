import assert from 'node:assert/strict';
import { assertAbsence } from './assert-offer.ts';
import type { AdapterDriver } from './drivers.ts';
import { refusedCall, repairedCall } from './sample-calls.ts';

/** The request after a refused call names its tool, and the one after a repaired call names none. */
export async function assertSecondTry(driver: AdapterDriver): Promise<void> {
  const { secondTry } = driver;
  if (typeof secondTry === 'string') return assertAbsence(driver, { forceRetry: true }, secondTry);
  assert.deepEqual(await secondTry.toolChoiceAfter(refusedCall), secondTry.pin);
  assert.equal(await secondTry.toolChoiceAfter(repairedCall), undefined);
}
