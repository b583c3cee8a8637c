// Which classes get a definition of their own in the schema, and under which name? Those that are used twice or that
// contain themselves; two classes of one name stay two.
import type { ArgumentClass } from '../../metadata/declared-type.ts';
import { classesIn } from '../argument-types/argument-type.ts';
import type { ClassModels } from '../class-model/class-model.ts';

/** Where a class stands in the schema: `#`, or `#/$defs/<name>`; without an entry it stands where it is used. */
export type ClassNames = ReadonlyMap<ArgumentClass, string>;

/** The definitions, in the order in which the classes are met. */
export function nameClasses(Root: ArgumentClass, models: ClassModels): ClassNames {
  const uses = new Map<ArgumentClass, number>();
  for (const { fields } of models.values()) {
    for (const Class of fields.flatMap(({ type }) => classesIn(type))) {
      uses.set(Class, (uses.get(Class) ?? 0) + 1);
    }
  }
  const names = new Map<ArgumentClass, string>();
  for (const [Class, { name }] of models) {
    const isDefined = Class !== Root && ((uses.get(Class) ?? 0) > 1 || containsItself(Class, models));
    if (isDefined) names.set(Class, freeName(name, new Set(names.values())));
  }
  return names;
}

function containsItself(Class: ArgumentClass, models: ClassModels): boolean {
  const reached = new Set<ArgumentClass>();
  const waiting = [Class];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const inside = models.get(next)?.fields.flatMap(({ type }) => classesIn(type)) ?? [];
    if (inside.includes(Class)) return true;
    waiting.push(...inside.filter((found) => !reached.has(found)));
    for (const found of inside) reached.add(found);
  }
  return false;
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  const plain = name.replace(/[^A-Za-z0-9_.-]/g, '_');
  let free = plain;
  for (let number = 2; taken.has(free); number += 1) free = `${plain}${number}`;
  return free;
}
