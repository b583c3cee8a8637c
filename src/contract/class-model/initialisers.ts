// Does a class give an argument a value of its own? A model can't see an initialiser, so an absent argument would get
// a value that nobody declared. Only an instance shows it: compilers keep no trace that could be read.
import { DefinitionError, type Complaint } from '../../errors/definition-error.ts';
import { parameterCount } from '../construction.ts';
import type { ClassModel, FieldModel } from './class-model.ts';

/** Arguments that a fresh instance already has. On a required one it does nothing, and looks as if it did. */
function initialiserComplaints(instance: object, { fields, name: where }: ClassModel): readonly Complaint[] {
  return fields.flatMap(({ name, presence, facts }) => {
    const isSet = Object.hasOwn(instance, name) && Reflect.get(instance, name) !== undefined;
    if (!isSet) return [];
    const isDouble = facts.default !== undefined;
    return [
      {
        where: `${where}.${name}`,
        what: isDouble
          ? 'has both @Default and an initialiser'
          : 'has an initialiser, which no model can see',
        instead: insteadOf(isDouble, presence),
      },
    ];
  });
}

function insteadOf(isDouble: boolean, presence: FieldModel['presence']): string {
  if (isDouble) return 'leave the initialiser out';
  return presence === 'required'
    ? 'write `!` and no value, or @Default(value) if it may be left out'
    : 'write @Default(value) instead';
}

/**
 * Looks at one instance, made here, where the class can be made without parameters; a constructor that throws is left
 * to the first call, as are classes with parameters.
 */
export function findInitialisers(model: ClassModel): readonly Complaint[] {
  const isAsked = parameterCount(model.Class) === 0 && model.fields.length > 0;
  const instance = isAsked ? tryToMake(model) : undefined;
  return instance === undefined ? [] : initialiserComplaints(instance, model);
}

function tryToMake({ Class }: ClassModel): object | undefined {
  try {
    return new Class();
  } catch {
    return undefined;
  }
}

/** Throws if a fresh instance has values where only `@Default` may give one. */
export function refuseInitialisers(instance: object, model: ClassModel): void {
  const complaints = initialiserComplaints(instance, model);
  if (complaints.length > 0) throw new DefinitionError(complaints);
}
