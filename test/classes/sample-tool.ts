import { DefinitionError, Tool } from 'toolmend';
import type { Constructor } from '../../src/tool/tool-contract.ts';

export const description = 'A tool for a test.';

/** A tool class with one field, `field`. */
export const toolWithField = (...decorators: readonly PropertyDecorator[]): Constructor =>
  toolWithFields('Sample', { field: decorators });

type Fields = { readonly [field: string]: readonly PropertyDecorator[] };

/**
 * A tool class of this name with these fields, each decorated from the last decorator to the first
 * as the compiler would.
 */
export function toolWithFields(name: string, fields: Fields): Constructor {
  class Sample {
    execute(): void {}
  }
  for (const [field, decorators] of Object.entries(fields))
    for (const decorate of decorators.toReversed()) decorate(Sample.prototype, field);
  Object.defineProperty(Sample, 'name', { value: name });
  Tool({ description })(Sample);
  return Sample;
}

/** A decorator on a field of another type than it states, which would not compile. */
export const untyped = (decorator: PropertyDecorator): PropertyDecorator => decorator;

/** The sentences of the DefinitionError that `make` throws; empty if it throws none. */
export function problemsOf(make: () => unknown): readonly string[] {
  try {
    make();
  } catch (error) {
    if (error instanceof DefinitionError) return error.message.split('\n');
    throw error;
  }
  return [];
}
