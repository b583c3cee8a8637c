// Which branches of a union can a value still be brought to fit? Not those whose discriminator says another word.
import type { SchemaView, SchemaViews } from '../../contract/schema-view.ts';
import type { JsonSchema } from '../../json/json-schema.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { pathInLink } from '../../json/markdown-link.ts';
import { foldMember } from '../reading/fold-member.ts';
import { isNullWord } from '../reading/is-null-word.ts';

/**
 * Without the branches that no rule could bring the value to: objects that ask for one word under a key where the value
 * has another one. To try them would change nothing but the time it takes.
 */
export function possibleBranches(
  value: JsonValue,
  branches: readonly JsonSchema[],
  views: SchemaViews,
): readonly JsonSchema[] {
  if (!isJsonObject(value)) return branches;
  return branches.filter((branch) => !isContradicted(value, views.of(branch), views));
}

function isContradicted(value: JsonObject, view: SchemaView, views: SchemaViews): boolean {
  if (view.types.size !== 1 || !view.types.has('object')) return false;
  return discriminatorsOf(view, views).some(([key, word]) => {
    const said = Object.hasOwn(value, key) ? value[key] : undefined;
    return typeof said === 'string' && isSettled(said) && !isSpelling(said, word);
  });
}

/** Text that no rule reads as anything but a spelling of a member. */
const isSettled = (text: string): boolean =>
  text.trim() !== '' && !isNullWord(text) && pathInLink(text) === undefined;

const isSpelling = (text: string, word: string): boolean =>
  text === word || foldMember(text) === foldMember(word);

type Discriminator = readonly [key: string, word: string];

const known = new WeakMap<SchemaView, readonly Discriminator[]>();

/** Keys under which an object has to have the one word; found out once. */
function discriminatorsOf(view: SchemaView, views: SchemaViews): readonly Discriminator[] {
  let found = known.get(view);
  if (found === undefined) {
    found = [...view.properties].flatMap(([key, schema]) => {
      const { members, types, branches } = views.of(schema);
      const [word, ...others] = members ?? [];
      const isOne = typeof word === 'string' && others.length === 0 && branches.length === 0;
      return isOne && types.has('string') ? [[key, word] as const] : [];
    });
    known.set(view, found);
  }
  return found;
}
