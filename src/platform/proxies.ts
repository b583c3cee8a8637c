/** Node, Bun, Deno and Workers with Node's modules tell a proxy without running its code. */
const types = globalThis.process?.getBuiltinModule?.('node:util')?.types;

/** False where only a copy tells proxies: see `holdsProxy`. */
export const isProxy = (value: object): boolean => types?.isProxy(value) ?? false;

/**
 * Whether plain data, in which `isProxy` found no proxy, has one nevertheless. Only browsers and
 * Workers take the time for it: a structured clone refuses proxies.
 */
export function holdsProxy(data: unknown): boolean {
  if (types !== undefined) return false;
  try {
    structuredClone(data);
    return false;
  } catch {
    return true;
  }
}
