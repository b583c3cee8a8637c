import { memoize } from '../collections/memoize.ts';
import type { JsonType } from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { type SchemaView, memberSchema } from '../schema/schema-view.ts';
import type { LocationCheck } from '../validate/strict-checks.ts';
import type { ContractValidator } from '../validate/validator.ts';
import { kindOf } from '../validate/value-kinds.ts';
import type { ContractRules } from './contract-rules.ts';
import type { Mismatch, ValueRule } from './repair-rule.ts';
import { nullWord } from './rules/null-word.ts';

/** The arguments as a whole, or a value in them. */
type Place = 'root' | 'below';

/**
 * How values at one place of a schema are repaired: what the schema says there, the rules that can
 * answer, and the plans of the places below. A plan is made once for a contract, when a call that
 * fails first reaches its place.
 */
export class RepairPlan {
  readonly schema: JsonSchema;
  readonly view: SchemaView;
  /** The declared key of the value, or of the list that it is an element of. */
  readonly name: string | undefined;
  /** The value is an element of a list of paths. */
  readonly isPath: boolean;
  readonly check: LocationCheck;
  readonly #plans: RepairPlans;
  readonly #place: Place;
  readonly #rules: { [mismatch in Mismatch]?: { [type in JsonType]?: readonly ValueRule[] } } = {};
  readonly #members = new Map<string, RepairPlan>();
  #items: RepairPlan | undefined;
  #textRule: ValueRule | undefined;

  constructor(plans: RepairPlans, schema: JsonSchema, at: PlanLocation) {
    const { views, strict } = plans.validator;
    this.schema = schema;
    this.view = views.of(schema);
    this.name = at.name;
    this.isPath = at.isPath;
    this.check = strict.at(schema, at.name, at.isPath);
    this.#plans = plans;
    this.#place = at.place;
  }

  /** The rules that can answer a value of this type, in the order of the table. */
  rulesFor(mismatch: Mismatch, type: JsonType): readonly ValueRule[] {
    const byType = (this.#rules[mismatch] ??= {});
    return (byType[type] ??= this.#plans.rules
      .answering(mismatch)
      .filter((rule) => this.#mayAnswer(rule, type)));
  }

  /**
   * The first of the rules that can answer a text that the schema refuses. It is asked after
   * `null_word`, which answers null words alone.
   */
  get textRule(): ValueRule | undefined {
    if (this.#textRule === undefined) {
      const mismatch = this.view.types.has('string') ? 'value' : 'type';
      for (const rule of this.#plans.rules.answering(mismatch)) {
        if (rule === nullWord || !this.#mayAnswer(rule, 'string')) continue;
        this.#textRule = rule;
        break;
      }
    }
    return this.#textRule;
  }

  #mayAnswer({ sentTypes, declaredTypes, kind }: ValueRule, type: JsonType): boolean {
    if (kind !== undefined && kind !== kindOf(this.view)) return false;
    if (sentTypes?.includes(type) === false) return false;
    if (declaredTypes === undefined) return true;
    const { types } = this.view;
    for (const declaredType of declaredTypes) {
      // Arguments are an object, whatever else the schema of the root allows.
      const isPossible = this.#place === 'below' || declaredType === 'object';
      if (isPossible && types.has(declaredType)) return true;
    }
    return false;
  }

  member(key: string): RepairPlan {
    const plan = this.#members.get(key);
    if (plan !== undefined) return plan;
    // The keys of a map are data, so they don't name a parameter, and there may be any number.
    if (!this.view.properties.has(key))
      return this.#planBelow(memberSchema(this.view, key), undefined);
    const declaredPlan = this.#planBelow(memberSchema(this.view, key), key);
    this.#members.set(key, declaredPlan);
    return declaredPlan;
  }

  element(index: number): RepairPlan {
    const { prefixItems, items, semantic } = this.view;
    const isPath = this.isPath || semantic === 'path';
    const prefix = prefixItems[index];
    if (prefix !== undefined) return this.#planBelow(prefix, this.name, isPath);
    return (this.#items ??= this.#planBelow(items, this.name, isPath));
  }

  /** The same place with another schema, of a branch of a union. */
  branch(schema: JsonSchema): RepairPlan {
    return this.#plans.at(schema, { name: this.name, isPath: this.isPath, place: this.#place });
  }

  #planBelow(schema: JsonSchema, name: string | undefined, isPath = false): RepairPlan {
    return this.#plans.at(schema, { name, isPath, place: 'below' });
  }
}

interface PlanLocation {
  readonly name: string | undefined;
  readonly isPath: boolean;
  readonly place: Place;
}

/** The repair plans of a contract: a schema can contain itself, so each is found by its check. */
class RepairPlans {
  readonly validator: ContractValidator;
  readonly rules: ContractRules;
  readonly root: RepairPlan;
  readonly #byCheck: Readonly<Record<Place, WeakMap<LocationCheck, RepairPlan>>> = {
    root: new WeakMap(),
    below: new WeakMap(),
  };

  constructor(validator: ContractValidator, rules: ContractRules) {
    this.validator = validator;
    this.rules = rules;
    this.root = this.at(validator.views.root, { name: undefined, isPath: false, place: 'root' });
  }

  at(schema: JsonSchema, at: PlanLocation): RepairPlan {
    const check = this.validator.strict.at(schema, at.name, at.isPath);
    const plans = this.#byCheck[at.place];
    const plan = plans.get(check) ?? new RepairPlan(this, schema, at);
    plans.set(check, plan);
    return plan;
  }
}

const plansOf = memoize((validator: ContractValidator) =>
  memoize((rules: ContractRules) => new RepairPlans(validator, rules)),
);

/** The repair plan of whole arguments. */
export const rootPlan = (validator: ContractValidator, rules: ContractRules): RepairPlan =>
  plansOf(validator)(rules).root;
