import { DefinitionError } from '../errors/definition-error.ts';

/** Throws a DefinitionError unless the SDK exports one of the names. `versions`: the range that works, as in package.json. */
export function requireExport(
  sdk: object,
  names: readonly string[],
  { name, versions }: { readonly name: string; readonly versions: string },
): void {
  if (names.some((exported) => exported in sdk)) return;
  const what = `can't be used with the installed version of ${name}`;
  throw new DefinitionError([{ where: 'toolmend', what, instead: `install ${name}@"${versions}"` }]);
}
