// Does a class give an argument a value of its own? A model can't see an initialiser, so an absent argument would get
// a value that nobody declared. Only an instance shows it: compilers keep no trace that could be read.
import { DefinitionError, type Complaint } from '../../errors/definition-error.ts';
import { parameterCount } from '../construction.ts';
import type { ClassModel } from './class-model.ts';

/** Optional arguments that a fresh instance already has. A required one is always overwritten, so it may. */
function initialiserComplaints(instance: object, { fields, name: where }: ClassModel): readonly Complaint[] {
  return fields.flatMap(({ name, presence, facts }) => {
    const isSet =
      presence !== 'required' && Object.hasOwn(instance, name) && Reflect.get(instance, name) !== undefined;
    if (!isSet) return [];
    const isDouble = facts.default !== undefined;
    return [
      {
        where: `${where}.${name}`,
        what: isDouble
          ? 'has both @Default and an initialiser'
          : 'has an initialiser, which no model can see',
        instead: isDouble ? 'leave the initialiser out' : 'write @Default(value) instead',
      },
    ];
  });
}

/**
 * Looks at one instance, made here, where the class can be made without parameters; a constructor that throws is left
 * to the first call, as are classes with parameters.
 */
export function findInitialisers(model: ClassModel): readonly Complaint[] {
  const isAsked =
    parameterCount(model.Class) === 0 && model.fields.some(({ presence }) => presence !== 'required');
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
