// Which fields belong together? `@PairedDefault` on either or both of two fields is one relation.
import { freezeDeep } from '../../json/freeze-deep.ts';
import type { Relation } from '../../json/json-schema.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { objectOf } from '../../json/own-key.ts';
import type { FieldModel } from '../class-model/class-model.ts';

/** The relations of a class, in the order of its fields. */
export function relationsOf(fields: readonly FieldModel[]): readonly Relation[] {
  const found = new Map<string, Relation>();
  for (const { name, facts } of fields) {
    for (const { partner, value } of facts.pairs) {
      const key = JSON.stringify([name, partner].toSorted());
      found.set(
        key,
        withDefault(found.get(key) ?? { requires: [name, partner], defaults: {} }, partner, value),
      );
    }
  }
  return freezeDeep([...found.values()]);
}

const withDefault = ({ requires, defaults }: Relation, partner: string, value: JsonValue): Relation => ({
  requires,
  defaults: objectOf([...Object.entries(defaults), [partner, value] as const]),
});
