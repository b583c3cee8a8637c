import assert from 'node:assert/strict';
import { DefinitionError } from 'toolmend';
import type { AdapterDriver, OfferOption } from './drivers.ts';
import { grammarPaths, marksOf, strictPaths } from './offered-tools.ts';

/** Throws unless an option, and only that option, does to the tools what the driver says. */
async function assertOption(
  driver: AdapterDriver,
  option: OfferOption,
  pathsIn: (tools: readonly unknown[]) => readonly string[],
): Promise<void> {
  const support = driver.offers[option];
  const plainTools = await driver.offer({});
  assert.deepEqual(pathsIn(plainTools), []);
  if (support === 'refused') {
    const isNamed = (error: unknown): boolean =>
      error instanceof DefinitionError && error.message.includes(option);
    await assert.rejects(driver.offer({ [option]: true }), isNamed);
    return;
  }
  const tools = await driver.offer({ [option]: true });
  if (support === 'ignored') assert.deepEqual(tools, plainTools);
  else assert.deepEqual(pathsIn(tools), [support.at]);
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
