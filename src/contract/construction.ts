// Can an instance of this class be made? A constructor that takes parameters would get undefined for each.
import type { Complaint } from '../errors/definition-error.ts';
import type { ArgumentClass } from '../metadata/declared-type.ts';
import type { Constructor } from './tool-contract.ts';

/** What `new Class()` with nothing can't do; nothing to complain of where the application makes instances itself. */
export function constructionComplaints(
  Class: Constructor,
  madeBy: 'application' | 'default',
): readonly Complaint[] {
  const parameters = parameterCount(Class);
  if (madeBy === 'application' || parameters === 0) return [];
  const count = parameters === 1 ? '1 parameter' : `${parameters} parameters`;
  return [
    {
      where: Class.name,
      what: `has a constructor with ${count}, which would be undefined`,
      instead: 'give the registry create: (Class, call) => ..., as with a container',
    },
  ];
}

/** Parameters of the constructor that runs: a class without one of its own has its parent's. */
export function parameterCount(Class: ArgumentClass): number {
  if (Class.length > 0 || !passesOn(Class)) return Class.length;
  const Parent: unknown = Object.getPrototypeOf(Class);
  return isClass(Parent) ? parameterCount(Parent) : 0;
}

/** Only the source tells whether a constructor is there; compilers write one where there are initialisers. */
function passesOn(Class: ArgumentClass): boolean {
  const source = Function.prototype.toString.call(Class);
  return !anyConstructor.test(source) || emittedConstructor.test(source);
}

const anyConstructor = /\bconstructor\s*\(/;
// TypeScript writes super(...arguments), swc and esbuild a rest parameter.
const emittedConstructor = /\bconstructor\s*\((?:\.\.\.(\w+))?\)\s*\{\s*super\(\.\.\.(?:arguments|\1)\)/;

const isClass = (value: unknown): value is ArgumentClass => typeof value === 'function';
