/** One decorator of class-validator with values to try. `stricter`: values that only class-validator accepts. */
export interface DecoratorRow {
  /** `@Min(1)`, without the decorators that give the field its type. */
  readonly written: string;
  readonly decorate: readonly PropertyDecorator[];
  readonly passes: readonly unknown[];
  readonly fails: readonly unknown[];
  readonly stricter: readonly unknown[];
}

interface RowValues {
  readonly passes?: readonly unknown[];
  readonly fails?: readonly unknown[];
  readonly stricter?: readonly unknown[];
}

/** `before` gives the field its type if the decorator states none. */
export const row = (
  written: string,
  decorator: PropertyDecorator,
  values: RowValues,
  ...before: readonly PropertyDecorator[]
): DecoratorRow => ({
  written,
  decorate: [...before, decorator],
  passes: values.passes ?? [],
  fails: values.fails ?? [],
  stricter: values.stricter ?? [],
});
