// From which schema does every dialect start? JSON Schema 2020-12 without our annotations, references only into its own
// `$defs`, and no keyword with something under it that it doesn't take. Nothing is ever fetched.
import { dialectOf } from '../../contract/judged-schema/dialect.ts';
import { endlessReference } from '../../contract/judged-schema/endless-references.ts';
import { isMisused } from '../../contract/judged-schema/known-keywords.ts';
import { ReferredRoot } from '../../contract/judged-schema/referred-root.ts';
import { rootAddress } from '../../contract/judged-schema/root-address.ts';
import type { SchemaObject } from '../../json/json-schema.ts';
import { mapSubschemas } from '../../json/map-subschemas.ts';
import { objectOf } from '../../json/own-key.ts';
import type { SchemaChange } from './schema-change.ts';

export interface NormalSchema {
  readonly root: SchemaObject;
  readonly changes: readonly SchemaChange[];
}

export function normalSchema(shown: SchemaObject): NormalSchema {
  const changes: SchemaChange[] = [];
  const clean = withoutMisused(shown, '', changes);
  const { root, unresolved } = new ReferredRoot(clean, dialectOf(clean) ?? '2020-12');
  for (const reference of unresolved)
    changes.push(lost('reference', `refers to ${reference}, which is not in it`));
  const endless = endlessReference(root);
  if (endless === undefined) return { root: withLocalReferences(root), changes };
  changes.push(lost('reference', `refers to ${endless}, which leads back to itself`));
  return { root: { type: 'object' }, changes };
}

const lost = (rule: SchemaChange['rule'], what: string, pointer: string = ''): SchemaChange => ({
  kind: 'lost',
  pointer,
  rule,
  what,
});

function withoutMisused(schema: SchemaObject, pointer: string, changes: SchemaChange[]): SchemaObject {
  const kept = Object.entries(schema).filter(([keyword, held]) => {
    if (!isMisused(keyword, held)) return true;
    changes.push(lost('misused', `has something under ${keyword} that it doesn't take`, pointer));
    return false;
  });
  return mapSubschemas(objectOf(kept), (below) => withoutMisused(below, pointer, changes));
}

const withLocalReferences = (schema: SchemaObject): SchemaObject => {
  const { $ref } = schema;
  const local =
    $ref?.startsWith(rootAddress) === true ? { ...schema, $ref: $ref.slice(rootAddress.length) } : schema;
  return mapSubschemas(local, withLocalReferences);
};
