// How is it said that arguments belong together?
import type { Relation } from '../json/json-schema.ts';
import { type HintedPlace, isOff } from './hinted-places.ts';

/** "Give offset and limit together; offset left out is 0." One sentence for the relations of the same arguments. */
export function pairSentences({ name, view }: HintedPlace): readonly string[] {
  const isHinted = ({ requires }: Relation): boolean =>
    requires.length > 1 && !requires.some((partner) => isOff(view.properties.get(partner) ?? true));
  const groups = Map.groupBy(view.relational.filter(isHinted), ({ requires }) =>
    JSON.stringify(requires.toSorted()),
  );
  const order = [...view.properties.keys()];
  const within = name === '' ? '' : `${name}.`;
  return [...groups.values()].map((relations) => {
    const members = [...new Set(relations.flatMap(({ requires }) => requires))].toSorted(
      (left, right) => order.indexOf(left) - order.indexOf(right),
    );
    const shown = members.map((member) => `${within}${member}`);
    const list = `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
    const defaults = members.flatMap((member) => defaultOf(member, relations));
    return [`Give ${list} together`, ...defaults].join('; ').concat('.');
  });
}

const defaultOf = (member: string, relations: readonly Relation[]): readonly string[] =>
  relations
    .filter(({ defaults }) => Object.hasOwn(defaults, member))
    .slice(0, 1)
    .map(({ defaults }) => `${member} left out is ${JSON.stringify(defaults[member])}`);
