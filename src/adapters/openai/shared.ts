import { type OptionKinds, boolean, oneOf } from '../../options/check-options.ts';
import { objectOf, isContainer } from '../../collections/objects.ts';

/** The options of `chatCompletions` and `responses`. */
export interface OpenAiOptions {
  /**
   * Strict mode: the provider makes the model follow the schema. Every argument is required there,
   * with null for an omitted one. Default: false.
   */
  readonly strict?: boolean;
  /**
   * Where notes about a result go. `parts`: each in a text part of the same message. `message`: in
   * a user message after all results, for servers that only take text as a result. Default:
   * `parts`.
   */
  readonly notes?: 'parts' | 'message';
}

export const openAiOptionKinds: OptionKinds<OpenAiOptions> = {
  strict: boolean,
  notes: oneOf('parts', 'message'),
};

/**
 * Members that OpenAI doesn't define, such as thoughts and signatures. Some servers require them in
 * the history.
 */
export type ExtraMembers = Readonly<Record<string, unknown>>;

/** Without members that are null. */
export const extraMembers = (sent: object, known: ReadonlySet<unknown>): ExtraMembers =>
  objectOf(
    Object.entries<unknown>({ ...sent }).filter(
      ([name, value]) => !known.has(name) && value !== null && value !== undefined,
    ),
  );

/**
 * Joins the members of two parts of a stream: strings and arrays are appended, anything else is
 * replaced.
 */
export const joinedMembers = (before: ExtraMembers, more: ExtraMembers): ExtraMembers =>
  objectOf([
    ...Object.entries(before),
    ...Object.entries(more).map(
      ([name, value]) =>
        [name, Object.hasOwn(before, name) ? joined(before[name], value) : value] as const,
    ),
  ]);

function joined(before: unknown, more: unknown): unknown {
  if (typeof before === 'string' && typeof more === 'string') return before + more;
  return Array.isArray(before) && Array.isArray(more) ? more.reduce(withEntry, before) : more;
}

/** OpenRouter streams one entry of `reasoning_details` in pieces, and requires it back as one. */
function withEntry(entries: readonly unknown[], entry: unknown): readonly unknown[] {
  const [last, next] = [membersOf(entries.at(-1)), membersOf(entry)];
  if (last['type'] !== next['type'] || last['index'] !== next['index']) return [...entries, entry];
  const texts = ['text', 'summary'].filter(
    (name) => typeof last[name] === 'string' && typeof next[name] === 'string',
  );
  if (texts.length === 0) return [...entries, entry];
  const whole = texts.map((name) => [name, joined(last[name], next[name])] as const);
  return [
    ...entries.slice(0, -1),
    objectOf([...Object.entries({ ...last, ...extraMembers(next, new Set()) }), ...whole]),
  ];
}

const membersOf = (entry: unknown): ExtraMembers => (isContainer(entry) ? { ...entry } : {});
