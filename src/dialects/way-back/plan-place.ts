// Where does a place of the contract's arguments stand in the form that was shown, and what differs below it?
import { pointerKeys, pointerTo } from '../../json/json-pointer.ts';
import { type Plan, planOfElement, same } from './plan.ts';

export interface ShownPlace {
  /** How the value there differs. */
  readonly plan: Plan;
  /** JSON Pointer of the place, with the keys that are shown. A map's key is one that is shown as a list of pairs. */
  readonly path: string;
}

/** `path`: JSON Pointer in the contract's own arguments. */
export function placeIn(root: Plan, path: string): ShownPlace {
  return pointerKeys(path).reduce<ShownPlace>(
    (place, key) => {
      const { plan, shown } = below(place.plan, key);
      return { plan, path: pointerTo(place.path, shown) };
    },
    { plan: root, path: '' },
  );
}

interface Below {
  readonly plan: Plan;
  readonly shown: string;
}

function below(plan: Plan, key: string): Below {
  switch (plan.kind) {
    case 'same':
      return { plan, shown: key };
    case 'link':
      return below(plan.to(), key);
    case 'json-text':
      return below(plan.below, key);
    case 'record':
      return { plan: plan.value, shown: key };
    case 'union':
      return onlyBelow(
        plan.branches.map((branch) => below(branch.plan, key)),
        key,
      );
    case 'node':
      break;
  }
  const member = plan.members.get(key);
  if (member !== undefined) return member;
  const isElement = plan.others.kind === 'same' && /^\d+$/.test(key);
  return { plan: isElement ? planOfElement(plan, Number(key)) : plan.others, shown: key };
}

/** What branches say differently can't be known without the value. */
function onlyBelow(places: readonly Below[], key: string): Below {
  const different = places.filter(({ plan, shown }) => plan.kind !== 'same' || shown !== key);
  const [only, ...others] = different;
  return only !== undefined && others.length === 0 ? only : { plan: same, shown: key };
}
