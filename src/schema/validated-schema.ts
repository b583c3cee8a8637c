import type { ToolContract } from '../tool/tool-contract.ts';
import { draftOf, lookAtKeywords } from './drafts.ts';
import type { SchemaObject } from './json-schema.ts';
import { withSafePatterns } from './patterns.ts';
import { ReferredRoot, endlessReference } from './references.ts';
import { SchemaViews } from './schema-view.ts';

// JSON Schema 2020-12, whatever it was written as, with absolute references; and what stands against validating with it at
// all.
/** A schema as it is validated. */
export interface ValidatedSchema {
  readonly views: SchemaViews;
  /** Why nobody can validate against the schema, as clauses; then the views are of any object. */
  readonly flaws: readonly string[];
  /** Patterns that nobody looks at, because they could take time without end. */
  readonly uncheckedPatterns: readonly string[];
  /** Keywords that nobody validates against. */
  readonly unknownKeywords: readonly string[];
}

const forms = new WeakMap<ToolContract, ValidatedSchema>();

/** The validated form of a contract's schema; made once. */
export function validatedSchemaOf(contract: ToolContract): ValidatedSchema {
  let form = forms.get(contract);
  if (form === undefined) {
    form = readSchema(contract);
    forms.set(contract, form);
  }
  return form;
}

/** The schemas of a contract as they are validated, and the views of them. */
export const viewsOf = (contract: ToolContract): SchemaViews => validatedSchemaOf(contract).views;

const anyObject: SchemaObject = { type: 'object' };

function readSchema({ inputSchema: schema, unusable, binding }: ToolContract): ValidatedSchema {
  const draft = draftOf(schema);
  const { unknown, misused } = lookAtKeywords(schema);
  const unknownKeywords = [...unknown];
  const flaws = [
    ...(unusable === undefined ? [] : [unusable]),
    ...(draft === undefined ? [`is written in the unknown draft ${String(schema.$schema)}`] : []),
    ...[...misused].map((keyword) => `can't be compiled (what stands under ${keyword} is of another kind)`),
  ];
  if (draft === undefined || flaws.length > 0)
    return { views: new SchemaViews(anyObject), flaws, unknownKeywords, uncheckedPatterns: [] };
  const { root: referred, unresolved } = new ReferredRoot(schema, draft);
  // The author of a class is the developer.
  const isTrusted = binding.kind === 'class' || binding.kind === 'method';
  const { schema: root, broken, unchecked } = withSafePatterns(referred, isTrusted);
  const endless = unresolved.length > 0 ? undefined : endlessReference(root);
  const found = [
    ...unresolved.map((reference) => `refers to ${reference}, which is not in it`),
    ...broken.map((said) => `can't be compiled (${said})`),
    ...(endless === undefined ? [] : [`can't be compiled (${endless} leads back to itself)`]),
  ];
  const views = new SchemaViews(found.length > 0 ? anyObject : root);
  return { views, flaws: found, unknownKeywords, uncheckedPatterns: unchecked };
}
