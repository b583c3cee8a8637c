// How does a second export cost nothing? What was made of a thing is kept as long as the thing.

/** The same function, called once at most for each object. */
export function onceEach<From extends object, To>(make: (from: From) => To): (from: From) => To {
  const made = new WeakMap<From, { readonly value: To }>();
  return (from) => {
    const kept = made.get(from) ?? { value: make(from) };
    made.set(from, kept);
    return kept.value;
  };
}
