// Which adapters go through the contract test? One row each; the bare registry is the first.
import type { AdapterDriver } from './adapter-driver.ts';
import { bareRegistry } from './drivers/bare-registry.ts';

export const allDrivers: readonly AdapterDriver[] = [bareRegistry];
