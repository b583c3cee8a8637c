import { ownValue } from '../collections/objects.ts';
import { objectAt } from '../json/members.ts';
import type { JsonObject } from '../json/value.ts';
import type { Effects } from '../tool/tool-contract.ts';

export const allEffects: readonly Effects[] = ['read', 'write', 'destructive'];

/**
 * What the description of a tool says of its effects: by toolmend's own member, or by MCP's
 * annotations, https://modelcontextprotocol.io/specification/2025-06-18/schema#toolannotations
 */
export function effectsOf(tool: JsonObject): Effects | undefined {
  const statedEffects = allEffects.find((effects) => effects === ownValue(tool, 'effects'));
  if (statedEffects !== undefined) return statedEffects;
  const annotations = objectAt(tool, 'annotations') ?? {};
  if (ownValue(annotations, 'destructiveHint') === true) return 'destructive';
  return ownValue(annotations, 'readOnlyHint') === true ? 'read' : undefined;
}
