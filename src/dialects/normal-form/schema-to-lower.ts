// With which schema does lowering begin? In one draft, with names and a root that the provider takes; what changed so far.
import type { SchemaObject } from '../../json/json-schema.ts';
import type { SchemaRules } from '../dialect-rules.ts';
import type { ShownNames } from '../legal-names.ts';
import { normalSchema } from './normal-schema.ts';
import { plainRoot } from './plain-root.ts';
import { propertyKeys, withShownKeys } from './property-keys.ts';
import type { SchemaChange } from './schema-change.ts';

export interface SchemaToLower {
  readonly root: SchemaObject;
  readonly names: ShownNames;
  /** What was said of the root. */
  readonly words: readonly string[];
  readonly changes: readonly SchemaChange[];
}

export function schemaToLower(schema: SchemaObject, rules: SchemaRules): SchemaToLower {
  const normal = normalSchema(schema);
  const names = propertyKeys(normal.root, rules.keys);
  const renamed = withShownKeys(normal.root, names);
  const changes = [...normal.changes, ...keyChanges(names)];
  if (rules.root === 'any') return { root: { ...renamed, type: 'object' }, names, words: [], changes };
  const { root, words, isChanged } = plainRoot(renamed);
  return { root, names, words, changes: isChanged ? [...changes, rootChange] : changes };
}

const rootChange: SchemaChange = {
  kind: 'adapted',
  pointer: '',
  rule: 'root',
  what: 'has a union or something else at its root, and is shown as one object',
};

const keyChanges = ({ shown }: ShownNames): readonly SchemaChange[] =>
  [...shown].map(([own, name]) => ({
    kind: 'adapted',
    pointer: '',
    rule: 'property-key',
    what: `has the property ${JSON.stringify(own)}, which is shown as ${name}`,
  }));
