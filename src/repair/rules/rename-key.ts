import { spellingOf } from '../../json/key-spelling.ts';
import { type JsonObject, type JsonValue, sameValue } from '../../json/value.ts';
import { type SchemaView, memberSchema } from '../../schema/schema-view.ts';
import { keyInMarkup } from '../../validate/strict-checks.ts';
import { mayBeMeant } from '../read-text.ts';
import { type KeyEdit, type ObjectRule, type RuleContext, refuse } from '../repair-rule.ts';

/**
 * Models send an undeclared key that differs from one declared, absent key only in case,
 * separators, stray quotes or blanks, that has call markup stuck to it (`path</arg_key>`,
 * `parameter name="path"`), or that is its alias.
 * Becomes the declared key.
 * Not when: in an open object `_id` for `id` and a header’s name (`Content-Type`), and any key
 * that a valid call sends if the schema writes that the object is open or the tool is destructive;
 * two spellings of one key, unless their values are equal or one is a null that is not allowed; a
 * dash or a point at an end (`-tag`); a key that two declared ones could mean; in an open object,
 * an alias of an optional key; markup in the value, too.
 */
export const renameKey: ObjectRule = {
  id: 'rename_key',
  level: 'object',
  answers: ['undeclared'],
  keeps: 'lossy',
  propose(context) {
    const { value, view } = context;
    const misspelt = context
      .misspelt(view, value)
      .filter(([key]) => !holdsParameters(key, value[key] ?? null));
    const renames = misspelt.concat(aliasesIn(context));
    const targets = new Map<string, string>();
    const keysFor = new Map<string, string[]>();
    for (const [key, declaredKey] of renames) {
      const earlierTarget = targets.get(key);
      if (earlierTarget === declaredKey) continue;
      // One key could mean two declared ones.
      if (earlierTarget !== undefined) return refuse;
      targets.set(key, declaredKey);
      const keys = keysFor.get(declaredKey);
      if (keys === undefined) keysFor.set(declaredKey, [key]);
      else keys.push(key);
    }
    const edits: KeyEdit[] = [];
    for (const [declaredKey, keys] of keysFor) {
      const spellings = spellingsOf(context, declaredKey, keys);
      const { spellingKeys } = spellings;
      if (spellingKeys.some((key) => !isEqual(value, spellingKeys[0] ?? key, key))) return refuse;
      for (const edit of editsFor(spellings)) edits.push(edit);
    }
    return edits;
  },
};

/** Whether a key has call markup stuck to it, and its value has other parameters in it. */
const holdsParameters = (key: string, value: JsonValue): boolean =>
  typeof value === 'string' &&
  /<\/?(?:arg_key|arg_value|parameter|param)[\s=>]/.test(value) &&
  keyInMarkup(key) !== undefined;

interface Spellings {
  readonly declaredKey: string;
  /** The keys of the call that are spellings of `declaredKey`, which itself comes first. */
  readonly spellingKeys: readonly string[];
  /** Keys with a null that is not allowed: they count as absent beside another spelling. */
  readonly nullKeys: readonly string[];
}

function spellingsOf(
  context: RuleContext<JsonObject>,
  declaredKey: string,
  keys: readonly string[],
): Spellings {
  const { value, view } = context;
  const all = Object.hasOwn(value, declaredKey) ? [declaredKey, ...keys] : keys;
  if (!all.some((key) => value[key] === null))
    return { declaredKey, spellingKeys: all, nullKeys: [] };
  const admitsNull = context.accepts(memberSchema(view, declaredKey), null);
  const hasMeantValue = (key: string): boolean => admitsNull || value[key] !== null;
  const spellingKeys = all.filter(hasMeantValue);
  const nullKeys = all.filter((key) => !hasMeantValue(key));
  return spellingKeys.length === 0
    ? { declaredKey, spellingKeys: all, nullKeys: [] }
    : { declaredKey, spellingKeys, nullKeys };
}

/** Renames the first spelling and leaves out the others, whose values are equal. */
function editsFor({
  declaredKey,
  spellingKeys: [first = declaredKey, ...others],
  nullKeys,
}: Spellings): readonly KeyEdit[] {
  const removals = [...nullKeys, ...others].map((key): KeyEdit => ({ op: 'remove', key }));
  return first === declaredKey
    ? removals
    : [...removals, { op: 'rename', key: first, to: declaredKey }];
}

const isEqual = (value: JsonObject, left: string, right: string): boolean =>
  sameValue(value[left] ?? null, value[right] ?? null);

function aliasesIn(context: RuleContext<JsonObject>): readonly (readonly [string, string])[] {
  const { value, view } = context;
  const targets = aliasTargets(context);
  if (targets.size === 0) return [];
  return Object.keys(value).flatMap((key) => {
    const declaredKey = view.properties.has(key) ? undefined : targets.get(spellingOf(key));
    return declaredKey !== undefined && mayBeMeant(view, declaredKey)
      ? [[key, declaredKey] as const]
      : [];
  });
}

const knownTargets = new WeakMap<SchemaView, ReadonlyMap<string, string>>();

/**
 * The declared key of each alias, by the alias's spelling; without aliases of several keys.
 * Collected once for each schema.
 */
function aliasTargets(context: RuleContext): ReadonlyMap<string, string> {
  const { view } = context;
  const cachedTargets = knownTargets.get(view);
  if (cachedTargets !== undefined) return cachedTargets;
  const targets = new Map<string, string>();
  const sharedSpellings = new Set<string>();
  for (const [name, schema] of view.properties) {
    for (const alias of context.viewOf(schema).aliases) {
      const spelling = spellingOf(alias);
      if (targets.has(spelling)) sharedSpellings.add(spelling);
      targets.set(spelling, name);
    }
  }
  for (const spelling of sharedSpellings) targets.delete(spelling);
  knownTargets.set(view, targets);
  return targets;
}
