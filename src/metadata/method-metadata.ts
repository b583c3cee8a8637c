// What does a framework read of a method's parameters? Metadata under keys of its own, on a member that may be none.
import 'reflect-metadata';

/** One parameter, as a framework with decorated methods finds it. */
export interface MethodMetadata {
  readonly member: string;
  /** The classes of the parameters, as a compiler would emit them. */
  readonly types: readonly unknown[];
  /** The framework's key, and what it stands for. */
  readonly key: string;
  readonly value: unknown;
}

/** Writes it where a framework looks: types on the prototype, the rest on the class that the prototype names. */
export function defineMethodMetadata(
  Class: { readonly prototype: object },
  { member, types, key, value }: MethodMetadata,
): void {
  Reflect.defineMetadata('design:paramtypes', types, Class.prototype, member);
  Reflect.defineMetadata(key, value, Class.prototype.constructor, member);
}
