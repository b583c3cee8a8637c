/**
 * A value that is made when it is first asked for, such as a large regular expression: importing
 * toolmend takes no time for it.
 */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
