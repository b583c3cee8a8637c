// How does a definition stay what it was? Frozen to the bottom.

/** Freezes plain data, its members and theirs, and returns it. Bounded by the data's own depth. */
export function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) freezeDeep(member);
  return value;
}
