import { pointerTo } from '../json/pointers.ts';
import { type NumberLiterals, noLiterals } from '../json/number-literals.ts';
import { parseJson } from '../json/parse.ts';
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  jsonTypeOf,
  maxTextDepth,
} from '../json/value.ts';
import { mayBeginEnvelope } from '../notations/call-envelope.ts';
import { type SchemaView, type SchemaViews, branchesIn } from '../schema/schema-view.ts';
import { isMap } from '../validate/strict-checks.ts';
import type { ContractValidator } from '../validate/validator.ts';
import { rulesOf } from './contract-rules.ts';
import { editKeys, recordKeyEdit, recordReplacement, withMembers } from './edits.ts';
import { isNullWord } from '../json/null-words.ts';
import { isPlaceholder } from './read-text.ts';
import { type RepairRequest, decodedRatio, depthOf } from './repair-context.ts';
import { type KeyTraits, hasAny, keyTraits } from './repair-object.ts';
import { type RepairPlan, rootPlan } from './repair-plan.ts';
import type { KeyEdit, ObjectRule, RepairRecord, ValueRule } from './repair-rule.ts';
import { dropNull } from './rules/drop-null.ts';
import { renameKey } from './rules/rename-key.ts';

/** Arguments that fit, with the records of their repairs. */
export interface PlainlyRepaired {
  readonly kind: 'repaired';
  readonly value: JsonObject;
  readonly records: readonly RepairRecord[];
}

/**
 * Repairs arguments that differ from their schema in nothing but texts (JSON of a list or an
 * object, numbers, booleans, and members of an enum), misspelt keys of closed objects, and nulls at
 * optional keys, at any depth. These are most near-misses, and what the rules make of them depends
 * on the value and its schema alone, so no rule is asked. undefined if anything else fails: then
 * the rules repair all.
 */
export function repairPlainly(
  validator: ContractValidator,
  request: RepairRequest,
): PlainlyRepaired | undefined {
  const { contract, stepsTaken } = validator;
  const rules = rulesOf(contract);
  const { numbers, restoreAt, value } = request;
  // Only the context of the rules counts the steps of validations that may take long.
  if (numbers.lossy || restoreAt !== undefined || stepsTaken > 0) return undefined;
  if (rules.allOn !== undefined || (contract.ownRules ?? []).length > 0) return undefined;
  const repair = new PlainRepair(validator, request);
  const plan = rootPlan(validator, rules);
  if (!isJsonObject(value) || Object.keys(value).length < 2 || !plan.check.isClean(value))
    return undefined;
  const repairedValue = repair.repairRefused(value, plan, '');
  return isJsonObject(repairedValue)
    ? { kind: 'repaired', value: repairedValue, records: repair.records }
    : undefined;
}

/** The most values that one repair validates. */
const maxValidations = 10_000;

/**
 * The plain repair of one call. A method returns undefined if the rules have to repair the value.
 */
class PlainRepair {
  readonly records: RepairRecord[] = [];
  readonly #validator: ContractValidator;
  readonly #numbers: NumberLiterals;
  /** The number of characters of texts that may still be read as JSON. */
  #decodable: number;
  #validations = 0;

  constructor(validator: ContractValidator, { numbers, size }: RepairRequest) {
    this.#validator = validator;
    this.#numbers = numbers === noLiterals ? noLiterals : numbers.copy();
    this.#decodable = size * decodedRatio;
  }

  /** Repairs a value that its schema has refused. `path`: its JSON Pointer. */
  repairRefused(value: JsonValue, plan: RepairPlan, path: string): JsonValue | undefined {
    const { view } = plan;
    if (view.isVerbatim || branchesIn(view).length > 0) return undefined;
    return typeof value === 'string'
      ? this.#readText(value, plan, path)
      : this.#repairMembers(value, plan, path);
  }

  #fits(value: JsonValue, { schema, check, view }: RepairPlan): boolean {
    // Most values that fail are of another type.
    if (!view.types.has(jsonTypeOf(value)) && view.branches.length === 0) return false;
    this.#validations += 1;
    return this.#validator.acceptsPart(schema, value) && check.isClean(value);
  }

  #repairMember(value: JsonValue, plan: RepairPlan, path: string): JsonValue | undefined {
    // Rules decide about a path in a link, and about a misspelt key, which the schema may accept.
    const mayRepair = this.#validations <= maxValidations && plan.check.isClean(value);
    return mayRepair ? this.repairRefused(value, plan, path) : undefined;
  }

  #readText(text: string, plan: RepairPlan, path: string): JsonValue | undefined {
    const rule = isNullWord(text) ? undefined : plan.textRule;
    if (rule === undefined) return undefined;
    const isContainer = rule.isReading === true;
    const value = isContainer
      ? this.#readContainer(text, path, rule)
      : rule.plainReading?.(text, plan.view);
    if (value === undefined) return undefined;
    const { views } = this.#validator;
    const { schema } = plan;
    const textEdit = { rule, schema, path, valueBefore: text, edit: value };
    this.records.push(
      recordReplacement(views, { ...textEdit, isLossy: false, shownToModel: false }),
    );
    if (this.#fits(value, plan)) return value;
    return isContainer ? this.#repairMembers(value, plan, path) : undefined;
  }

  /** Strict JSON of a list or an object that a rule reads, without repeated keys or lost digits. */
  #readContainer(text: string, path: string, { declaredTypes }: ValueRule): JsonValue | undefined {
    this.#decodable -= text.length;
    if (this.#decodable < 0 || !(text.startsWith('[') || text.startsWith('{'))) return undefined;
    const reading = parseJson(text, maxTextDepth - depthOf(path));
    if (reading.kind !== 'read' || reading.numbers.lossy || reading.repeatedKeys.length > 0)
      return undefined;
    const { value, numbers } = reading;
    if (declaredTypes?.includes(jsonTypeOf(value)) !== true) return undefined;
    if (this.#numbers !== noLiterals) this.#numbers.adopt(numbers, value);
    return value;
  }

  #repairMembers(value: JsonValue, plan: RepairPlan, path: string): JsonValue | undefined {
    const { types } = plan.view;
    const repairedValue =
      isJsonObject(value) && types.has('object')
        ? this.#repairObject(value, plan, path)
        : isJsonArray(value) && types.has('array')
          ? this.#repairList(value, plan, path)
          : undefined;
    return repairedValue !== undefined && this.#fits(repairedValue, plan)
      ? repairedValue
      : undefined;
  }

  #repairObject(object: JsonObject, plan: RepairPlan, path: string): JsonValue | undefined {
    const edited = this.#repairKeys(object, plan, path);
    if (edited === undefined) return undefined;
    const changes: (readonly [string, JsonValue])[] = [];
    for (const key of Object.keys(edited)) {
      const memberPlan = plan.member(key);
      const member = edited[key] ?? null;
      if (typeof memberPlan.schema === 'boolean' || this.#fits(member, memberPlan)) continue;
      const repairedMember = this.#repairMember(member, memberPlan, pointerTo(path, key));
      if (repairedMember === undefined) return undefined;
      changes.push([key, repairedMember]);
    }
    return edited === object && changes.length === 0
      ? undefined
      : withMembers(edited, changes, this.#numbers);
  }

  /** undefined if another rule than `rename_key` and `drop_null` may act on the keys. */
  #repairKeys(object: JsonObject, plan: RepairPlan, path: string): JsonObject | undefined {
    const { view } = plan;
    const traits = keyTraits(object, view);
    if (!hasAny(traits, ['undeclared', 'empty', 'missing'])) return object;
    // One key alone may hold all arguments.
    if (traits.alone) return undefined;
    const renames = traits.undeclared ? this.#renamesIn(object, view, traits) : [];
    const renamed = this.#editKeys(renameKey, object, renames, { plan, path });
    const { undeclared, empty, missing } = renames.length === 0 ? traits : keyTraits(renamed, view);
    if (undeclared || missing) return undefined;
    const removals = empty ? this.#removalsIn(renamed, plan) : [];
    return removals && this.#editKeys(dropNull, renamed, removals, { plan, path });
  }

  /** The renaming of all undeclared keys; empty if another rule may act on one of them. */
  #renamesIn(object: JsonObject, view: SchemaView, { missing }: KeyTraits): readonly KeyEdit[] {
    const { strict, views } = this.#validator;
    if (view.additionalProperties !== false || isMap(view) || hasAliases(views, view)) return [];
    const undeclaredKeys = Object.keys(object).filter((key) => !view.properties.has(key));
    const misspelt = strict.misspellings(view, object);
    const targets = new Set(misspelt.map(([, declaredKey]) => declaredKey));
    const isPlain =
      undeclaredKeys.length < Object.keys(object).length &&
      undeclaredKeys.length === targets.size &&
      !undeclaredKeys.some((key) => mayBeginEnvelope(key) || /[<>=]/.test(key)) &&
      ![...targets].some((declaredKey) => Object.hasOwn(object, declaredKey)) &&
      !(missing && Object.values(object).some(holdsMarkup));
    return isPlain ? misspelt.map(([key, to]) => ({ op: 'rename', key, to })) : [];
  }

  /** The removal of all nulls that are refused; undefined if another rule may act on a value. */
  #removalsIn(object: JsonObject, plan: RepairPlan): readonly KeyEdit[] | undefined {
    const { properties, required } = plan.view;
    const removals: KeyEdit[] = [];
    for (const key of properties.keys()) {
      const value = Object.hasOwn(object, key) ? object[key] : undefined;
      if (value !== null && !isPlaceholder(value)) continue;
      const { schema, view } = plan.member(key);
      if (this.#validator.acceptsPart(schema, value)) continue;
      if (value !== null || required.has(key) || view.isVerbatim) return undefined;
      removals.push({ op: 'remove', key });
    }
    return removals;
  }

  #editKeys(
    rule: ObjectRule,
    object: JsonObject,
    edits: readonly KeyEdit[],
    { plan, path }: { readonly plan: RepairPlan; readonly path: string },
  ): JsonObject {
    if (edits.length === 0) return object;
    const { views } = this.#validator;
    const { schema } = plan;
    for (const edit of edits)
      this.records.push(recordKeyEdit(views, { rule, schema, path, valueBefore: object, edit }));
    return editKeys(object, edits, this.#numbers);
  }

  #repairList(list: JsonArray, plan: RepairPlan, path: string): JsonValue | undefined {
    // The list may be the only element of a list of lists.
    if (this.#validator.views.typesOf(plan.view.items).has('array')) return undefined;
    const elements: JsonValue[] = [];
    for (const [index, element] of list.entries()) {
      const elementPlan = plan.element(index);
      const repairedElement = this.#fits(element, elementPlan)
        ? element
        : this.#repairMember(element, elementPlan, pointerTo(path, index));
      if (repairedElement === undefined) return undefined;
      elements.push(repairedElement);
    }
    this.#numbers.carry(list, elements);
    return elements;
  }
}

/** Whether a text may hold further parameters, which are split off before keys are renamed. */
const holdsMarkup = (value: JsonValue): boolean =>
  typeof value === 'string' && value.includes('</');

const hasAliases = (views: SchemaViews, { properties }: SchemaView): boolean =>
  properties.values().some((schema) => views.of(schema).aliases.length > 0);
