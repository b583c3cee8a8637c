// How is one decorator of class-validator put to the test? As it is written, with values that pass and that don't.

/** `stricter`: class-validator lets these pass, a tool call doesn't. */
export interface DecoratorRow {
  /** `@Min(1)`; what stands before it to give the field a type is left out. */
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

/** `before` gives the field its type where the decorator says none. */
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
