// Can an instance of this class be made? A constructor that takes parameters would get undefined for each.
import type { Complaint } from '../errors/definition-error.ts';
import type { Constructor } from './tool-contract.ts';

/** What `new Class()` with nothing can't do; nothing to complain of where the application makes instances itself. */
export function constructionComplaints(
  Class: Constructor,
  madeBy: 'application' | 'default',
): readonly Complaint[] {
  if (madeBy === 'application' || Class.length === 0) return [];
  const count = Class.length === 1 ? '1 parameter' : `${Class.length} parameters`;
  return [
    {
      where: Class.name,
      what: `has a constructor with ${count}, which would be undefined`,
      instead: 'give the registry create: (Class, call) => ..., as with a container',
    },
  ];
}
