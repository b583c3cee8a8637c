// Is a schema small enough to be looked at? Asked before anything recurses into it or copies it.

/** Hand-written and generated schemas of real tools stay far below. */
const limits = { characters: 256 * 1024, depth: 64, objects: 10_000 } as const;

interface Visit {
  readonly value: unknown;
  readonly depth: number;
}

/** The limit that is exceeded, in words; undefined if none is. Takes as long as the limits allow, for any value. */
export function exceededLimit(schema: unknown): string | undefined {
  const open: Visit[] = [{ value: schema, depth: 1 }];
  let characters = 0;
  let objects = 0;
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    const { value, depth } = visit;
    if (typeof value !== 'object' || value === null) {
      characters += typeof value === 'string' ? value.length + 2 : 4;
    } else {
      if (depth > limits.depth) return `is nested deeper than ${limits.depth} levels`;
      if (!Array.isArray(value)) objects += 1;
      for (const [key, below] of Object.entries<unknown>({ ...value })) {
        characters += Array.isArray(value) ? 1 : key.length + 4;
        open.push({ value: below, depth: depth + 1 });
      }
    }
    if (characters > limits.characters) return `is longer than ${limits.characters / 1024} KB`;
    if (objects > limits.objects) return `has more than ${limits.objects} schemas`;
  }
  return undefined;
}
