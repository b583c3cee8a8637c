// Does a field pass the checks of class-validator that its schema can't say? Null passes where the type allows it.
import { pointerTo } from '../../json/json-pointer.ts';
import type { Constraint } from '../../metadata/constraint.ts';
import { withoutNull, type ArgumentType } from '../argument-types/argument-type.ts';
import { brokenCheck, isPromiseLike } from './broken-check.ts';
import type { FieldModel } from '../class-model/class-model.ts';
import type { CheckFailure } from '../tool-contract.ts';

/** The failures of one field of an object; `path` is the object's. */
export function fieldFailures(field: FieldModel, object: object, path: string): readonly CheckFailure[] {
  if (field.checked.length === 0) return [];
  const value: unknown = Reflect.get(object, field.name);
  const place = pointerTo(path, field.name);
  if (value === null && field.type.kind === 'nullable') return [];
  const [first] = field.checked;
  try {
    if (!field.conditions.every((holds) => holds(object, value))) return [];
  } catch (error) {
    return [brokenCheck(place, first?.name ?? '', error)];
  }
  return field.checked.flatMap((constraint) => {
    if (constraint.reach === 'items' && Array.isArray(value)) {
      return itemFailures(constraint, { list: value, type: field.type, object, place });
    }
    return valueFailures(constraint, value, object, place);
  });
}

interface CheckedList {
  readonly list: readonly unknown[];
  readonly type: ArgumentType;
  readonly object: object;
  readonly place: string;
}

function itemFailures(
  constraint: Constraint,
  { list, type, object, place }: CheckedList,
): readonly CheckFailure[] {
  const bare = withoutNull(type);
  const mayBeNull = bare.kind === 'array' && bare.items.kind === 'nullable';
  return list.flatMap((item, index) =>
    item === null && mayBeNull ? [] : valueFailures(constraint, item, object, pointerTo(place, index)),
  );
}

function valueFailures(
  { check, condition, name }: Constraint,
  value: unknown,
  object: object,
  path: string,
): readonly CheckFailure[] {
  if (check === undefined) return [];
  try {
    if (condition?.(object, value) === false) return [];
    const passes = check.passes(value, object);
    if (isPromiseLike(passes)) return [brokenCheck(path, name, passes)];
    if (passes) return [];
    const said = check.message(value, object);
    // class-validator asks nobody to write a sentence.
    return [{ path, check: name, message: said.trim() === '' ? `is refused by the check ${name}` : said }];
  } catch (error) {
    return [brokenCheck(path, name, error)];
  }
}
