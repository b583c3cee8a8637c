import { draftOf } from './drafts.ts';
import type { SchemaObject } from './json-schema.ts';
import { checkKeywords } from './keywords.ts';
import { withSafePatterns } from './patterns.ts';
import { bundleReferences, endlessReference } from './references.ts';
import { SchemaViews } from './schema-view.ts';

/** A schema as it is validated: JSON Schema 2020-12 whose references lead into its own `$defs`, with safe patterns. */
export interface ValidatedSchema {
  readonly views: SchemaViews;
  /** Why the schema can't be used, as a clause; then the views are of any object. */
  readonly problem?: string;
  /** Patterns that were left out, because they could take time without end. */
  readonly unsafePatterns: readonly string[];
  /** Keywords that no draft knows. */
  readonly unknownKeywords: readonly string[];
}

export interface SchemaOrigin {
  /** Why the author's schema is not used at all, as a clause. */
  readonly unusable?: string | undefined;
  /** The developer wrote the schema: none of its patterns is left out. */
  readonly isTrusted: boolean;
}

export function toValidatedSchema(
  schema: SchemaObject,
  { unusable, isTrusted }: SchemaOrigin,
): ValidatedSchema {
  const { unknown: unknownKeywords, misused } = checkKeywords(schema);
  const unusableFor = (problem: string): ValidatedSchema => ({
    views: new SchemaViews({ type: 'object' }),
    problem,
    unsafePatterns: [],
    unknownKeywords,
  });
  if (unusable !== undefined) return unusableFor(unusable);
  const draft = draftOf(schema);
  if (draft === undefined) return unusableFor(`is written in the unknown draft ${String(schema.$schema)}`);
  if (misused !== undefined) return unusableFor(misused);
  const { root: bundled, unresolved } = bundleReferences(schema, draft);
  const [reference] = unresolved;
  if (reference !== undefined) return unusableFor(`refers to ${reference}, which is not in it`);
  const { schema: root, invalid, unsafe } = withSafePatterns(bundled, isTrusted);
  const [reason] = invalid;
  if (reason !== undefined) return unusableFor(`can't be compiled (${reason})`);
  const endless = endlessReference(root);
  if (endless !== undefined) return unusableFor(`can't be compiled (${endless} leads back to itself)`);
  return { views: new SchemaViews(root), unsafePatterns: unsafe, unknownKeywords };
}
