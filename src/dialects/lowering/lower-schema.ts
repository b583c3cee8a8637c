// What does a tool's schema look like to a provider, and what differs? Schema, sentences, changes, and the way back.
import { freezeDeep } from '../../json/freeze-deep.ts';
import type { SchemaObject } from '../../json/json-schema.ts';
import { objectOf } from '../../json/own-key.ts';
import type { SchemaRules } from '../dialect-rules.ts';
import type { SchemaChange } from '../normal-form/schema-change.ts';
import { schemaToLower } from '../normal-form/schema-to-lower.ts';
import type { WayBack } from '../way-back/way-back.ts';
import { SchemaLowering } from './schema-lowering.ts';

export interface LoweredSchema extends WayBack {
  readonly schema: SchemaObject;
  /** For the tool's description: what was said of the root. */
  readonly words: readonly string[];
  readonly changes: readonly SchemaChange[];
}

/** A pure function; the schema is never written to. */
export function lowerSchema(schema: SchemaObject, rules: SchemaRules): LoweredSchema {
  const start = schemaToLower(schema, rules);
  const { names } = start;
  const { $defs = {}, description = '', ...root } = start.root;
  const lowering = new SchemaLowering({ ...root, $defs }, rules, names);
  const around = new Map([['#', () => made.plan]]);
  const made = lowering.defineRoot(() => lowering.lower(root, { pointer: '', around }));
  const { definitions } = lowering;
  const { nullable: _nullable, description: said = '', ...kept } = made.schema;
  const shown: SchemaObject = freezeDeep({
    ...kept,
    type: 'object',
    ...(definitions.length === 0 ? {} : { $defs: objectOf(definitions) }),
  });
  return Object.freeze({
    schema: shown,
    words: [description, said, ...start.words].filter((text) => text !== ''),
    changes: different([...start.changes, ...lowering.changes]),
    plan: made.plan,
    own: { root: lowering.root, keyOf: (key: string) => names.own.get(key) ?? key },
    shown: { root: shown, keyOf: (key: string) => key },
  });
}

const different = (changes: readonly SchemaChange[]): readonly SchemaChange[] => [
  ...new Map(changes.map((change) => [JSON.stringify(change), Object.freeze(change)] as const)).values(),
];
