// In which form does a model know the tools, and what differs from their own?
import type { ToolContract } from '../contract/tool-contract.ts';
import { splitPointer } from '../json/json-pointer.ts';
import type { NameRule } from './dialect-rules.ts';
import { type DialectName, dialects, type ProviderDialect } from './dialect-table.ts';
import { isLegalName, legalNames } from './legal-names.ts';
import { lowerContract } from './lowering/lower-contract.ts';
import type { LoweredSchema } from './lowering/lower-schema.ts';
import { placeIn } from './way-back/plan-place.ts';

/** undefined where the arguments are shown as they are. */
export function shownForm(contract: ToolContract, dialect: DialectName): LoweredSchema | undefined {
  if (dialect === 'neutral') return undefined;
  const lowered = lowerContract(contract, dialects[dialect].rules);
  return lowered.plan.kind === 'same' ? undefined : lowered;
}

/** How a model knows a place of the arguments by its JSON Pointer; undefined where it knows all as they are. */
export function shownPlaces(
  contract: ToolContract,
  dialect: ProviderDialect,
): ((pointer: string) => { readonly key: string; readonly isOtherForm: boolean }) | undefined {
  const form = shownForm(contract, dialect);
  if (form === undefined) return undefined;
  return (pointer) => {
    const { plan, path } = placeIn(form.plan, pointer);
    return { key: splitPointer(path).key, isOtherForm: plan.kind === 'record' || plan.kind === 'json-text' };
  };
}

/** What a tool of a set is called in a dialect. */
export function shownName(tools: Iterable<string>, dialect: ProviderDialect, own: string): string {
  const rule: NameRule | undefined = dialects[dialect].rules.toolName;
  if (rule === undefined || isLegalName(own, rule)) return own;
  return legalNames(tools, rule).shown.get(own) ?? own;
}

/** The tools of a set by what they are called in a dialect. */
export function byShownName<Tool>(
  tools: ReadonlyMap<string, Tool>,
  dialect: ProviderDialect,
): ReadonlyMap<string, Tool> {
  const { shown } = legalNames(tools.keys(), dialects[dialect].rules.toolName);
  return shown.size === 0 ? tools : new Map([...tools].map(([own, tool]) => [shown.get(own) ?? own, tool]));
}
