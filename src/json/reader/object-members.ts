// What becomes of a member that is read? The first of its name is kept; an equal one is the same, a different one is not.
import type { JsonValue } from '../json-value.ts';
import { defineKey } from '../own-key.ts';
import { sameValue } from '../same-value.ts';

/** One object while it is being read. */
export class ObjectMembers {
  readonly object: Record<string, JsonValue> = {};
  readonly #sources = new Map<string, string>();

  /** `digits: 'lost'`: values that differ may look the same, so their texts are compared too. */
  add(
    key: string,
    value: JsonValue,
    written: { readonly source: string; readonly digits: 'kept' | 'lost' },
  ): 'new' | 'equal' | 'different' {
    const { source, digits } = written;
    const earlier = this.#sources.get(key);
    if (earlier === undefined) {
      this.#sources.set(key, source);
      defineKey(this.object, key, value);
      return 'new';
    }
    const isSame = sameValue(this.object[key] ?? null, value);
    return isSame && (digits === 'kept' || earlier.trim() === source.trim()) ? 'equal' : 'different';
  }
}
