// What is a tool or a property called where its own name is forbidden? The same name every time, whatever stands beside it.
import { fingerprintOf } from '../json/fingerprint.ts';
import type { NameRule } from './dialect-rules.ts';

/** Own names and the names that are shown for them; one to one. Names that are legal are not listed. */
export interface ShownNames {
  readonly shown: ReadonlyMap<string, string>;
  readonly own: ReadonlyMap<string, string>;
}

const noNames: ShownNames = { shown: new Map(), own: new Map() };

/** Whether a provider takes a name as it is. */
export const isLegalName = (name: string, { accepts, longest }: NameRule): boolean =>
  name.length <= longest && accepts.test(name);

/**
 * Legal names stay. In others what is forbidden becomes `_`; one that is too long, or then the same as another, is cut and
 * gets a hash of its own name. The order of the names doesn't matter.
 */
export function legalNames(names: Iterable<string>, rule: NameRule | undefined): ShownNames {
  const all = new Set(names);
  const illegal = rule === undefined ? [] : [...all].filter((name) => !isLegalName(name, rule));
  if (rule === undefined || illegal.length === 0) return noNames;
  const plain = new Map(illegal.map((name) => [name, withoutForbidden(name, rule)] as const));
  const taken = new Set([...all].filter((name) => isLegalName(name, rule)));
  const wanted = [...plain.values()];
  const shown = new Map<string, string>();
  for (const [name, legal] of [...plain].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const isFree = legal.length <= rule.longest && !taken.has(legal);
    const isOnly = wanted.filter((other) => other === legal).length === 1;
    const chosen = isFree && isOnly ? legal : hashed(legal, name, rule.longest, taken);
    taken.add(chosen);
    shown.set(name, chosen);
  }
  return { shown, own: new Map([...shown].map(([own, legal]) => [legal, own])) };
}

function withoutForbidden(name: string, { forbidden, accepts, longest, first = '_' }: NameRule): string {
  const replaced = name.replace(forbidden, '_');
  const started = replaced === '' ? first : replaced;
  return accepts.test(started.slice(0, longest)) ? started : `${first}${started}`;
}

const hashLength = 7;

function hashed(legal: string, name: string, longest: number, taken: ReadonlySet<string>): string {
  const kept = legal.slice(0, longest - hashLength - 1);
  let salted = name;
  for (;;) {
    const hash = fingerprintOf(salted)
      .replace(/[^a-z0-9]/g, '')
      .slice(-hashLength);
    const made = `${kept}_${hash}`;
    if (!taken.has(made)) return made;
    salted += ' ';
  }
}
