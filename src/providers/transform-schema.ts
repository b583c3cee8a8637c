import { freezeDeep } from '../json/value.ts';
import { type SchemaObject, mapSubschemas } from '../schema/json-schema.ts';
import { declaredKeys, normalizeSchema, plainRoot, renameKeys } from './normalize-schema.ts';
import {
  type ChangeRule,
  type LegalNames,
  type SchemaChange,
  type SchemaRules,
  legalNames,
  noNames,
  setOf,
} from './provider-rules.ts';
import { SchemaTransformer } from './restrict-schema.ts';

export interface TransformedSchema {
  readonly schema: SchemaObject;
  /** What the tool's description has to say: the root's description, and what the root can't say. */
  readonly words: readonly string[];
  readonly changes: readonly SchemaChange[];
  /** The tool's schema with the provider's names of properties and a plain root. */
  readonly source: SchemaObject;
  readonly names: LegalNames;
}

/** The schema as a provider accepts it. Pure; the same schema gives the same text. */
export function transformSchema(schema: SchemaObject, rules: SchemaRules): TransformedSchema {
  if (rules.kind === 'declared') return { schema, words: [], changes: [], source: schema, names: noNames };
  const normal = normalizeSchema(schema);
  if (rules.kind === 'json-schema') {
    const shown: SchemaObject = freezeDeep({ ...normal.root, type: 'object' });
    return { schema: shown, words: [], changes: normal.changes, source: shown, names: noNames };
  }
  const { propertyNames } = rules;
  const names = legalNames(propertyNames === undefined ? [] : declaredKeys(normal.root), propertyNames);
  const source = plainRoot(renameKeys(normal.root, names.legal));
  const { description = '', ...root } = source.root;
  const made =
    rules.kind === 'guidance'
      ? { schema: asGuidance(root), changes: [] }
      : new SchemaTransformer(root, rules, names).transformRoot();
  const { nullable: _nullable, description: said = '', ...shown } = made.schema;
  return {
    schema: freezeDeep({ ...shown, type: 'object' }),
    words: [description, said, ...source.words].filter((text) => text !== ''),
    changes: distinct([
      ...normal.changes,
      ...[...names.legal].map(([own, legal]) =>
        adapted('property-key', `has the property ${JSON.stringify(own)}, which is shown as ${legal}`),
      ),
      ...(source.isChanged ? [adapted('root', 'has a union or `allOf` at its root')] : []),
      ...made.changes,
    ]),
    source: source.root,
    names,
  };
}

/** Annotations that say nothing to a model. */
const silent = setOf('title discriminator $comment externalDocs xml');

const asGuidance = (schema: SchemaObject): SchemaObject =>
  mapSubschemas(
    Object.fromEntries(Object.entries(schema).filter(([keyword]) => !silent.has(keyword))),
    asGuidance,
  );

const adapted = (rule: ChangeRule, what: string): SchemaChange => ({
  kind: 'adapted',
  pointer: '',
  rule,
  what,
});

const distinct = (changes: readonly SchemaChange[]): readonly SchemaChange[] => [
  ...new Map(changes.map((change) => [JSON.stringify(change), Object.freeze(change)])).values(),
];
