// If it differs in spelling only, or the author named it as an alias. Leaves alone: maps, two spellings of one key
// with different values, names that only look alike. In an open object a renamed optional key must fit, or it stays
// as it came.
import { type JsonObject, sameValue, spellingOf } from '../../json/value.ts';
import { type SchemaView, memberSchema } from '../../schema/schema-view.ts';
import { mayBeMeant } from '../read-text.ts';
import { type KeyEdit, type ObjectPlace, type ObjectRule, type Questions, refused } from '../repair-rule.ts';

export const renameKey: ObjectRule = {
  id: 'rename_key',
  level: 'object',
  answers: ['undeclared'],
  keeps: 'lossy',
  sends:
    'an undeclared key that differs from one declared, absent key only in case, separators, stray quotes or blanks, or that is its alias',
  becomes: 'the declared key',
  notWhen:
    'two spellings of one key, unless their values are equal or one is a null that is not allowed; a key that two declared ones could mean; in an open object, an alias of an optional key',
  propose(place) {
    const wanted = [...place.ask.misspelt(place.view, place.value), ...aliasesSent(place)];
    // A key that two declared ones could mean is nobody's to give away.
    const targets = new Map<string, string>();
    if (wanted.some(([key, declared]) => isSecondTarget(targets, key, declared))) return refused;
    const sent = new Map<string, Set<string>>();
    for (const [key, declared] of wanted) sent.set(declared, new Set(sent.get(declared)).add(key));
    const groups = [...sent].map(([declared, keys]) => spellingsOf(place, declared, [...keys]));
    const isAmbiguous = groups.some(({ meant }) =>
      meant.some((key) => !isEqual(place.value, meant[0] ?? key, key)),
    );
    return isAmbiguous ? refused : groups.flatMap(editsFor);
  },
};

function isSecondTarget(targets: Map<string, string>, key: string, declared: string): boolean {
  const earlier = targets.get(key);
  targets.set(key, declared);
  return earlier !== undefined && earlier !== declared;
}

interface Spellings {
  readonly declared: string;
  /** The keys of the call that spell it, the declared one first. */
  readonly meant: readonly string[];
  /** Those with a null that isn't allowed: beside another spelling it says nothing. */
  readonly empty: readonly string[];
}

function spellingsOf(
  { value, view, ask }: ObjectPlace,
  declared: string,
  keys: readonly string[],
): Spellings {
  const all = Object.hasOwn(value, declared) ? [declared, ...keys] : keys;
  const admitsNull = ask.accepts(memberSchema(view, declared), null);
  const isMeant = (key: string): boolean => admitsNull || value[key] !== null;
  const meant = all.filter(isMeant);
  const empty = all.filter((key) => !isMeant(key));
  return meant.length === 0 ? { declared, meant: all, empty: [] } : { declared, meant, empty };
}

/** The first spelling is renamed, the others, which are equal, are left out. */
function editsFor({ declared, meant: [first = declared, ...others], empty }: Spellings): readonly KeyEdit[] {
  const removed = [...empty, ...others].map((key): KeyEdit => ({ op: 'remove', key }));
  return first === declared ? removed : [...removed, { op: 'rename', key: first, to: declared }];
}

const isEqual = (value: JsonObject, left: string, right: string): boolean =>
  sameValue(value[left] ?? null, value[right] ?? null);

function aliasesSent({ value, view, ask }: ObjectPlace): readonly (readonly [string, string])[] {
  const targets = aliasTargets(view, ask);
  if (targets.size === 0) return [];
  return Object.keys(value).flatMap((key) => {
    const declared = view.properties.has(key) ? undefined : targets.get(spellingOf(key));
    return declared !== undefined && mayBeMeant(view, declared) ? [[key, declared] as const] : [];
  });
}

const knownTargets = new WeakMap<SchemaView, ReadonlyMap<string, string>>();

/** Aliases of exactly one declared key; collected once a schema. */
function aliasTargets(view: SchemaView, ask: Questions): ReadonlyMap<string, string> {
  const known = knownTargets.get(view);
  if (known !== undefined) return known;
  const targets = new Map<string, string>();
  const shared = new Set<string>();
  for (const [name, schema] of view.properties) {
    for (const alias of ask.view(schema).aliases) {
      const spelling = spellingOf(alias);
      if (targets.has(spelling)) shared.add(spelling);
      targets.set(spelling, name);
    }
  }
  for (const alias of shared) targets.delete(alias);
  knownTargets.set(view, targets);
  return targets;
}
