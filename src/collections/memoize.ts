/**
 * A function that runs once for each object, which must be immutable. `meanwhile`: the result for
 * one that contains itself.
 */
export function memoize<From extends object, To>(
  compute: (key: From) => To,
  meanwhile?: To,
): (key: From) => To {
  const results = new WeakMap<From, { readonly value: To }>();
  return (key) => {
    let result = results.get(key);
    if (result === undefined) {
      if (meanwhile !== undefined) results.set(key, { value: meanwhile });
      result = { value: compute(key) };
      results.set(key, result);
    }
    return result.value;
  };
}
