// Which constructors name a type of JSON?
import type { ScalarKind } from './declared-type.ts';

export const scalarTypes: ReadonlyMap<unknown, ScalarKind> = new Map<unknown, ScalarKind>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
  [Date, 'date'],
  [Object, 'object'],
]);
