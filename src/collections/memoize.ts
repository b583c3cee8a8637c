/**
 * A function that runs once for each object, which must be immutable. `meanwhile`: the result for
 * one that contains itself.
 */
export function memoize<From extends object, To>(
  compute: (from: From) => To,
  meanwhile?: To,
): (from: From) => To {
  const results = new WeakMap<From, { readonly value: To }>();
  return (from) => {
    let result = results.get(from);
    if (result === undefined) {
      if (meanwhile !== undefined) results.set(from, { value: meanwhile });
      result = { value: compute(from) };
      results.set(from, result);
    }
    return result.value;
  };
}
