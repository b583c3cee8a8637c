// What did the author write for arguments that break what the schema says? class-validator's `message`, of the constraints
// that are keywords: the schema has refused the value already, and only the sentence is asked for.
import { pointerTo } from '../../json/json-pointer.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { Constraint } from '../../metadata/constraint.ts';
import type { ArgumentClass } from '../../metadata/declared-type.ts';
import type { ClassModel, ClassModels, FieldModel } from '../class-model/class-model.ts';
import type { ArgumentCheck, CheckFailure } from '../tool-contract.ts';
import { bareInstance } from './bare-instance.ts';
import { fieldFailures } from './field-check.ts';
import { modelsByPrototype } from './instance-failures.ts';
import { maskSecrets } from './mask-secrets.ts';

/** The sentences for a value that the schema refuses, by place; undefined if the author wrote none. */
export function authorSentences(Root: ArgumentClass, models: ClassModels): ArgumentCheck | undefined {
  const root = models.get(Root);
  const hasAny = [...models.values()].some(({ fields }) =>
    fields.some(({ keyworded }) => keyworded.some(isWorded)),
  );
  if (root === undefined || !hasAny) return undefined;
  const byPrototype = modelsByPrototype(models);
  return (value: JsonObject) => {
    const bare = bareInstance(root, value, models);
    return maskSecrets(sentencesIn(bare, '', byPrototype), bare, byPrototype);
  };
}

const isWorded = ({ check }: Constraint): boolean => check?.wording === 'author';

const spoken = (field: FieldModel): FieldModel => ({ ...field, checked: field.keyworded.filter(isWorded) });

/** A check that breaks over a value of another type has nothing to say. */
function sentencesIn(
  value: unknown,
  path: string,
  byPrototype: ReadonlyMap<unknown, ClassModel>,
): readonly CheckFailure[] {
  if (typeof value !== 'object' || value === null || value instanceof Date) return [];
  const model = byPrototype.get(Object.getPrototypeOf(value));
  const own = model?.fields.flatMap((field) => fieldFailures(spoken(field), value, path)) ?? [];
  const below = Object.entries(value).flatMap(([key, member]) =>
    sentencesIn(member, pointerTo(path, key), byPrototype),
  );
  return [...own.filter((failure) => !('cause' in failure)), ...below];
}
