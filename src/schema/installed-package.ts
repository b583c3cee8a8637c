import { attempt } from '../json/value.ts';

/** A package that is installed beside toolmend or in the working directory; undefined if neither has it. */
export function loadInstalled(name: string): unknown {
  // Loaded only when something needs it, so that no entry depends on an optional package or on Node.
  const module = globalThis.process?.getBuiltinModule?.('node:module');
  if (module === undefined) return undefined;
  for (const from of [import.meta.url, `${process.cwd()}/package.json`]) {
    const loaded = attempt<unknown>(() => module.createRequire(from)(name));
    if (loaded !== undefined) return loaded;
  }
  return undefined;
}
