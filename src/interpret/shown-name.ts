// How is a name that a model made up shown to people and models? Short, and without anything invisible.

const longest = 64;
// Control, bidi, zero-width and tag characters, lone surrogates, line separators, chat template tokens.
const hidden = /<\|[^|]*\|>|[\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

/** At most 64 characters, then `…`. */
export function shownName(name: string): string {
  const [...visible] = name.slice(0, 4 * longest).replace(hidden, '');
  return visible.length <= longest ? visible.join('') : `${visible.slice(0, longest - 1).join('')}…`;
}
