/** The same function, called at most once for each object. What it makes is kept as long as the object. */
export function onceEach<From extends object, To>(make: (from: From) => To): (from: From) => To {
  const made = new WeakMap<From, { readonly value: To }>();
  return (from) => {
    const kept = made.get(from) ?? { value: make(from) };
    made.set(from, kept);
    return kept.value;
  };
}
