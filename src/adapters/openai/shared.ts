import { type OptionKinds, boolean, oneOf } from '../../errors/check-options.ts';
import { isThere } from '../../interpret/tool-call-collector.ts';
import { objectOf } from '../../json/value.ts';

export interface OpenAiOptions {
  /**
   * The provider holds the model to the schema: every argument is required there, null stands for what is left out, and maps
   * are lists. Default: false.
   */
  readonly strict?: boolean;
  /**
   * Where notes go that stand beside a result. `parts`: a text part of their own in the same message. `message`: a user
   * message behind all results, for servers that take nothing but text as a result. Default: `parts`.
   */
  readonly notes?: 'parts' | 'message';
}

export const openAiOptionKinds: OptionKinds<OpenAiOptions> = {
  strict: boolean,
  notes: oneOf('parts', 'message'),
};

// Thoughts and signatures, which some want back with their calls.
/** Members of a message or a call, by their names. */
export type Beside = Readonly<Record<string, unknown>>;

/** What an object says beside the members that are known; what is null says nothing. */
export const besideOf = (sent: object, known: ReadonlySet<string>): Beside =>
  objectOf(
    Object.entries<unknown>({ ...sent }).filter(
      ([name, held]) => !known.has(name) && held !== null && held !== undefined,
    ),
  );

/** The same of two parts of one stream: texts and lists go on, anything else is as it was said last. */
export const joinedBeside = (before: Beside, more: Beside): Beside =>
  objectOf([
    ...Object.entries(before),
    ...Object.entries(more).map(
      ([name, held]) => [name, Object.hasOwn(before, name) ? joined(before[name], held) : held] as const,
    ),
  ]);

function joined(before: unknown, more: unknown): unknown {
  if (typeof before === 'string' && typeof more === 'string') return before + more;
  return Array.isArray(before) && Array.isArray(more) ? more.reduce(withEntry, before) : more;
}

/** A thought comes in pieces, which are one entry of the list that OpenRouter wants back. */
function withEntry(entries: readonly unknown[], entry: unknown): readonly unknown[] {
  const [last, next] = [membersOf(entries.at(-1)), membersOf(entry)];
  if (last['type'] !== next['type'] || last['index'] !== next['index']) return [...entries, entry];
  const said = ['text', 'summary'].filter(
    (name) => typeof last[name] === 'string' && typeof next[name] === 'string',
  );
  if (said.length === 0) return [...entries, entry];
  const texts = said.map((name) => [name, joined(last[name], next[name])] as const);
  return [
    ...entries.slice(0, -1),
    objectOf([...Object.entries({ ...last, ...besideOf(next, none) }), ...texts]),
  ];
}

const none: ReadonlySet<string> = new Set();

const membersOf = (entry: unknown): Beside =>
  typeof entry === 'object' && isThere(entry) ? objectOf(Object.entries<unknown>({ ...entry })) : {};
