/**
 * A value that is made when it is first asked for, such as a large regular expression: importing
 * toolmend takes no time for it.
 */
export function once<Value>(make: () => Value): () => Value {
  let result: { readonly value: Value } | undefined;
  return () => (result ??= { value: make() }).value;
}
