import type { Constructor } from '../tool/tool-contract.ts';

/** What `@ApiProperty` of @nestjs/swagger says of a field. */
export interface ApiProperty {
  readonly description?: string;
  /** An array or an object of members. `reach`: whose values they are. */
  readonly enum?: { readonly members: object; readonly reach: 'value' | 'items' };
  readonly examples: readonly unknown[];
}

// The keys under which @nestjs/swagger stores its metadata (`DECORATORS` in its constants.ts). It is not imported for them.
const listKey = 'swagger/apiModelPropertiesArray';
const propertyKey = 'swagger/apiModelProperties';

/** The fields with `@ApiProperty`, parents' included. */
export function apiPropertyNames(Class: Constructor): readonly string[] {
  const names: unknown = Reflect.getMetadata(listKey, Class.prototype);
  return Array.isArray(names)
    ? names.flatMap((name: unknown) => (typeof name === 'string' ? [name.replace(/^:/, '')] : []))
    : [];
}

export function apiPropertyOf(Class: Constructor, name: string): ApiProperty {
  const found: unknown = Reflect.getMetadata(propertyKey, Class.prototype, name);
  const description = member(found, 'description');
  const ofItems = membersIn(member(member(found, 'items'), 'enum'));
  const members = ofItems ?? membersIn(member(found, 'enum'));
  const examples = [member(found, 'example'), ...examplesIn(member(found, 'examples'))];
  return {
    ...(typeof description === 'string' && description.trim() !== '' ? { description } : {}),
    ...(members === undefined ? {} : { enum: { members, reach: ofItems === undefined ? 'value' : 'items' } }),
    examples: examples
      .filter((example) => example !== undefined)
      .map((example) => (example instanceof Date ? example.toJSON() : example)),
  };
}

const member = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;

/** Since version 8, `enum` may be a function that returns the members. */
function membersIn(written: unknown): object | undefined {
  const members: unknown = typeof written === 'function' ? Reflect.apply(written, undefined, []) : written;
  return typeof members === 'object' && members !== null ? members : undefined;
}

/** `examples` is an array of values, or an object of `{ value }` by name. */
const examplesIn = (written: unknown): readonly unknown[] =>
  Array.isArray(written) ? written : Object.values(Object(written)).map((named) => member(named, 'value'));
