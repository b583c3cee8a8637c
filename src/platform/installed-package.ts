/**
 * A package that is installed beside toolmend or in the working directory; undefined if neither has
 * it.
 */
export function loadInstalled(name: string): unknown {
  // Loaded only when something needs it, so that no entry depends on an optional package or on
  // Node.
  const module = globalThis.process?.getBuiltinModule?.('node:module');
  if (module === undefined) return undefined;
  const places = [() => import.meta.url, () => `${process.cwd()}/package.json`];
  for (const place of places) {
    try {
      const moduleExports: unknown = module.createRequire(place())(name);
      if (moduleExports !== undefined) return moduleExports;
    } catch {
      // Not installed there, or the program may not look (Deno's permissions).
    }
  }
  return undefined;
}
