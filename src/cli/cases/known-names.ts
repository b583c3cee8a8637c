// Which names may be shown of a call? Those that the tool's schema has: any other key is the model's, and may hold anything.
import type { ToolContract } from '../../contract/tool-contract.ts';
import { foldKey } from '../../json/fold-key.ts';
import { pointerKeys, pointerTo } from '../../json/json-pointer.ts';

/** The names of all properties of a tool and of its meta arguments, in the form that their spellings share. */
export type KnownNames = ReadonlySet<string>;

export function knownNames({ inputSchema, meta }: ToolContract): KnownNames {
  const names = new Set(meta.map(({ name }) => foldKey(name) ?? name));
  const collect = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [keyword, value] of Object.entries(node)) {
      if (keyword === 'properties' && typeof value === 'object' && value !== null)
        for (const name of Object.keys(value)) names.add(foldKey(name) ?? name);
      collect(value);
    }
  };
  collect(inputSchema);
  return names;
}

/** A JSON Pointer with `*` for each key that the schema doesn't name; list positions stay. */
export const shownPointer = (pointer: string, names: KnownNames): string =>
  pointerKeys(pointer)
    .map((key) => (/^\d+$/.test(key) || names.has(foldKey(key) ?? key) ? key : '*'))
    .reduce(pointerTo, '');
