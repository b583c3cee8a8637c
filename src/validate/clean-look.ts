// Can a strict reading fail anywhere in a value that its schema accepts? A look that makes nothing and looks nothing up.
import { isJsonArray, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { mayBeLink } from '../json/markdown-link.ts';

/** What is known of the values at one place. */
export interface LookedAt {
  /** Unions, tuples and maps take a close look. */
  readonly needsCloseLook: boolean;
  /** The declared keys below which something can fail. */
  readonly members: readonly Member[];
  /** The keys of an open object, where any other key could be one of them misspelt. */
  readonly declared: ReadonlyMap<string, unknown> | undefined;
  readonly items: CleanLook;
}

export interface Member {
  readonly key: string;
  readonly look: CleanLook;
}

/** Reads what it must know when it is first asked, so that a schema may contain itself. */
export class CleanLook {
  readonly #read: () => LookedAt;
  #known: LookedAt | undefined;

  constructor(read: () => LookedAt) {
    this.#read = read;
  }

  /** A yes is certain, a no has to be looked at closely. */
  isClean(value: JsonValue): boolean {
    if (typeof value === 'string') return !mayBeLink(value);
    if (typeof value !== 'object' || value === null) return true;
    const known = (this.#known ??= this.#read());
    if (known.needsCloseLook) return false;
    return isJsonArray(value)
      ? value.every((item) => known.items.isClean(item))
      : isCleanObject(value, known);
  }
}

function isCleanObject(value: JsonObject, { members, declared }: LookedAt): boolean {
  // What a prototype has under such a name is no text and no object.
  for (const { key, look } of members) if (!look.isClean(value[key] ?? null)) return false;
  return declared === undefined || Object.keys(value).every((key) => declared.has(key));
}
