// Which places were looked at and didn't fit? Each round asks again about those that no round has changed.
import type { JsonSchema } from '../../json/json-schema.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { Fixed } from '../edits/made-edits.ts';
import type { Spot } from '../spot.ts';

interface Misfit {
  readonly value: JsonValue;
  /** Keys that were to stay as they came by then: another one could change the answer. */
  readonly tolerations: number;
  readonly fixed: Fixed;
}

export class Misfits {
  /** By path, then by schema. */
  readonly #known = new Map<string, Map<JsonSchema, Misfit>>();

  find(value: JsonValue, { path, schema }: Spot, tolerations: number): Fixed | undefined {
    // Asked for each place, and nearly always in vain.
    const known = this.#known.size === 0 ? undefined : this.#known.get(path)?.get(schema);
    return known?.value === value && known.tolerations === tolerations ? known.fixed : undefined;
  }

  keep(fixed: Fixed, value: JsonValue, { path, schema }: Spot, tolerations: number): void {
    if (!isCostly(value)) return;
    const misfits = this.#known.get(path) ?? new Map<JsonSchema, Misfit>();
    this.#known.set(path, misfits.set(schema, { value, tolerations, fixed }));
  }
}

/** Characters of a text that costs less to be looked at again than to be remembered. */
const shortText = 64;

/** Asking again about a number or a short text is cheaper than remembering it. */
const isCostly = (value: JsonValue): boolean =>
  typeof value === 'string' ? value.length > shortText : typeof value === 'object' && value !== null;
