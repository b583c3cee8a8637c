/** Puts a value into a map as its newest one, and deletes the oldest of more than `max`. */
export function setNewest<Key, Value>(
  map: Map<Key, Value>,
  [key, value]: readonly [Key, Value],
  max: number,
): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}
