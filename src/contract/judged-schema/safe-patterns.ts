// Which patterns of a schema can be matched in a bounded time? The others are taken out: what they ask for is not looked at.
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import { mapSubschemas } from '../../json/map-subschemas.ts';
import { objectOf } from '../../json/own-key.ts';
import { readPattern } from '../patterns/pattern-matcher.ts';

export interface SafePatterns {
  readonly schema: SchemaObject;
  /** What the engine says of patterns that are none. */
  readonly broken: readonly string[];
  /** Patterns that were taken out. */
  readonly unchecked: readonly string[];
}

/** `isTrusted`: the author is the developer, whose patterns all count. */
export function withSafePatterns(root: SchemaObject, isTrusted: boolean): SafePatterns {
  const broken = new Set<string>();
  const unchecked = new Set<string>();
  const isKept = (pattern: string): boolean => {
    try {
      if (isTrusted || readPattern(pattern).kind !== 'unsafe') return true;
      unchecked.add(pattern);
    } catch (error) {
      broken.add(error instanceof Error ? error.message : String(error));
    }
    return false;
  };
  const safe = (schema: SchemaObject): SchemaObject => mapSubschemas(kept(schema, isKept), safe);
  return { schema: safe(root), broken: [...broken], unchecked: [...unchecked] };
}

function kept(schema: SchemaObject, isKept: (pattern: string) => boolean): SchemaObject {
  const { pattern, ...withoutPattern } = schema;
  const plain = typeof pattern !== 'string' || isKept(pattern) ? schema : withoutPattern;
  if (plain.patternProperties === undefined) return plain;
  const all: readonly (readonly [string, JsonSchema])[] = Object.entries(plain.patternProperties);
  const left = all.filter(([name]) => isKept(name));
  if (left.length === all.length) return plain;
  // Without the pattern nobody knows which keys are additional ones.
  const { additionalProperties: _closed, unevaluatedProperties: _alsoClosed, ...open } = plain;
  return { ...open, patternProperties: objectOf(left) };
}
