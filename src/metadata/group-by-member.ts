// Which records stand on which member? What stands on no member is left out.

/** Per member, its records; members in the order of their first record. */
export function groupByMember<Entry extends { readonly member?: string }>(
  entries: readonly Entry[],
): ReadonlyMap<string, readonly Entry[]> {
  const grouped = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (entry.member === undefined) continue;
    const known = grouped.get(entry.member);
    if (known === undefined) grouped.set(entry.member, [entry]);
    else known.push(entry);
  }
  return grouped;
}
