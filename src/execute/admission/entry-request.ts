// How does a call want to run? As its tool says: beside others, alone, or with a lock on what it works on.
import { viewsOf } from '../../contract/judged-schema/judged-schema.ts';
import type { ApplicationContext, ToolContract } from '../../contract/tool-contract.ts';
import { canonicalJson } from '../../json/canonical-json.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { writeJson } from '../../json/write-json.ts';
import { applyDefaults } from '../apply-defaults.ts';
import type { EntryRequest } from './ticket.ts';

/** Throws what the author's function for the key throws, and a TypeError for a key that has no JSON form. */
export function mannerOf(
  contract: ToolContract,
  values: JsonObject,
  context: ApplicationContext,
): Pick<EntryRequest, 'manner' | 'locks'> {
  const { concurrency = 'parallel' } = contract.execution ?? {};
  if (concurrency === 'parallel') return anyTime;
  if (concurrency === 'alone') return alone;
  const key = concurrency.key(applyDefaults(viewsOf(contract), values), context);
  if (key === undefined || key === null) return anyTime;
  const parts: readonly unknown[] = Array.isArray(key) ? key : [key];
  return { manner: 'parallel', locks: [...new Set(parts.map(lockOf))] };
}

const anyTime = { manner: 'parallel', locks: [] } as const;
const alone = { manner: 'alone', locks: [] } as const;

const lockOf = (part: unknown): string =>
  typeof part === 'string' ? part : canonicalJson(writeJson(part).value);
