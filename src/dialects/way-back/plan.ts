// How does a value come from the form that a provider was shown to the contract's own, and back? As data, beside the schema.
import type { JsonSchema } from '../../json/json-schema.ts';

export type Plan = SamePlan | NodePlan | RecordPlan | JsonTextPlan | UnionPlan | LinkPlan;

/** Nothing differs. */
interface SamePlan {
  readonly kind: 'same';
}

/** An object or a list whose members may differ. */
export interface NodePlan {
  readonly kind: 'node';
  /** By own key. */
  readonly members: ReadonlyMap<string, MemberPlan>;
  /** The same by the key that is shown, with the own one. */
  readonly byShown: ReadonlyMap<string, readonly [own: string, member: MemberPlan]>;
  /** Of keys that nobody declared. */
  readonly others: Plan;
  readonly prefix: readonly Plan[];
  readonly items: Plan;
}

export interface MemberPlan {
  readonly shown: string;
  readonly plan: Plan;
  /** What stands for a property that is left out; `null`: null means nothing else there. */
  readonly absent: 'absent' | 'null' | 'real null';
}

/** An object of any keys is a list of `{ key, value }`. */
interface RecordPlan {
  readonly kind: 'record';
  readonly value: Plan;
}

/** A value is text that holds its JSON. */
interface JsonTextPlan {
  readonly kind: 'json-text';
  readonly below: Plan;
}

/** The first branch that the value fits. */
interface UnionPlan {
  readonly kind: 'union';
  readonly branches: readonly PlanBranch[];
}

export interface PlanBranch {
  readonly own: JsonSchema;
  readonly shown: JsonSchema;
  readonly plan: Plan;
}

/** A schema that contains itself. */
interface LinkPlan {
  readonly kind: 'link';
  to(): Plan;
}

export const same: Plan = Object.freeze({ kind: 'same' });

/** A node's plan; the plain one if nothing differs in it. */
export function nodePlan(node: Omit<NodePlan, 'kind' | 'byShown'>): Plan {
  const isSame =
    [...node.prefix, node.items, node.others].every(({ kind }) => kind === 'same') &&
    [...node.members].every(
      ([own, { shown, plan, absent }]) => own === shown && plan.kind === 'same' && absent === 'absent',
    );
  if (isSame) return same;
  const byShown = new Map([...node.members].map(([own, member]) => [member.shown, [own, member]] as const));
  return { kind: 'node', ...node, byShown };
}

export const planOfElement = ({ prefix, items }: NodePlan, index: number): Plan => prefix[index] ?? items;

export const unionPlan = (branches: readonly PlanBranch[]): Plan =>
  branches.every(({ plan }) => plan.kind === 'same') ? same : { kind: 'union', branches };
