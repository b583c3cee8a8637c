import assert from 'node:assert/strict';
import { DefinitionError } from 'toolmend';
import type { Absence, AdapterDriver, OfferOption } from './drivers.ts';
import { grammarPaths, marksOf, strictPaths } from './offered-tools.ts';

/** Throws unless an option, and only that option, does to the tools what the driver says. */
async function assertOption(
  driver: AdapterDriver,
  option: OfferOption,
  pathsIn: (tools: readonly unknown[]) => readonly string[],
): Promise<void> {
  const support = driver.offers[option];
  assert.deepEqual(pathsIn(await driver.offer({})), []);
  if (typeof support === 'string') return assertAbsence(driver, { [option]: true }, support);
  assert.deepEqual(pathsIn(await driver.offer({ [option]: true })), [support.at]);
}

/** Throws unless the adapter refuses the only member of the options, or ignores it. */
export async function assertAbsence(
  driver: AdapterDriver,
  options: object,
  absence: Absence,
): Promise<void> {
  const [name = ''] = Object.keys(options);
  const isNamed = (error: unknown): boolean =>
    error instanceof DefinitionError && error.message.includes(name);
  if (absence === 'refused') await assert.rejects(driver.offer(options), isNamed);
  else assert.deepEqual(await driver.offer(options), await driver.offer({}));
}

/** `strict: true` makes a tool strict that can be strict. */
export const assertStrict = (driver: AdapterDriver): Promise<void> =>
  assertOption(driver, 'strict', ([findOrder]) => strictPaths(findOrder));

/** `customTools: true` makes a custom tool of a text tool, with its grammar. */
export const assertCustomTools = (driver: AdapterDriver): Promise<void> =>
  assertOption(driver, 'customTools', ([_findOrder, applyPatch]) => grammarPaths(applyPatch));

/** A tool has the members of the driver's provider, and those of no other. */
export async function assertProviderOptions(driver: AdapterDriver): Promise<void> {
  const [findOrder] = await driver.offer({});
  assert.deepEqual(marksOf(findOrder), driver.offers.providerOptions);
}
