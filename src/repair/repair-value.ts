import { isContainer } from '../collections/objects.ts';
import { survivesAsNumber } from '../json/number-literals.ts';
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  jsonTypeOf,
  sameValue,
} from '../json/value.ts';
import { hasRepetition } from '../schema/keywords.ts';
import { branchesIn } from '../schema/schema-view.ts';
import { pathInMarkup } from '../validate/strict-checks.ts';
import type { ContractValidator } from '../validate/validator.ts';
import { type ContractRules, rulesOf } from './contract-rules.ts';
import { recordReplacement } from './edits.ts';
import { isContainerText } from './read-text.ts';
import {
  type Ambiguity,
  type Location,
  type Repair,
  type RepairRequest,
  RepairContext,
  elementLocation,
  rootLocation,
  failedRepair,
} from './repair-context.ts';
import { rootPlan } from './repair-plan.ts';
import {
  type KeyTraits,
  type RepairedContents,
  RepairsBelow,
  hasAny,
  keyTraits,
  noTraits,
  repairObject,
} from './repair-object.ts';
import {
  type Mismatch,
  type Refusal,
  type RepairRecord,
  type Replacement,
  type RuleContext,
  type ValueRule,
  refuse,
} from './repair-rule.ts';
import { repairUnion } from './repair-union.ts';

export type RepairResult =
  | {
      readonly kind: 'repaired';
      readonly value: JsonObject;
      readonly records: readonly RepairRecord[];
    }
  | FailedRepair;

export interface FailedRepair {
  readonly kind: 'failed';
  /**
   * JSON Pointers of values that were repaired although others could not be. Their issues are not
   * shown.
   */
  readonly repairedPaths: readonly string[];
  /** JSON Pointers of numbers that have lost digits. */
  readonly unsafe: readonly string[];
  readonly isOverBudget: boolean;
  /** By JSON Pointer: values that could mean two. */
  readonly ambiguities: ReadonlyMap<string, Ambiguity>;
}

/**
 * Repairs arguments that the validator refuses, or whose numbers have lost digits. The result is
 * valid as a whole, or nothing is repaired.
 */
export function repairArguments(
  validator: ContractValidator,
  request: RepairRequest,
): RepairResult {
  const rules = rulesOf(validator.contract);
  const result = repairByRules(validator, request, rules);
  if (result.kind === 'failed' || rules.allOn === undefined) return result;
  // With a rule off, the arguments may become another value: by another branch of a union, by
  // another rule, or because a key stays as it was sent. Such a value is not accepted.
  const full = repairByRules(validator, request, rules.allOn);
  if (full.kind === 'failed') return full;
  return sameValue(full.value, result.value) ? result : nothingRepaired;
}

export const nothingRepaired: FailedRepair = {
  kind: 'failed',
  repairedPaths: [],
  unsafe: [],
  isOverBudget: false,
  ambiguities: new Map(),
};

/** Repairs arguments by some rules. */
export function repairByRules(
  validator: ContractValidator,
  request: RepairRequest,
  rules: ContractRules,
): RepairResult {
  const context = new RepairContext(validator, request, repairValue, rules);
  const location = rootLocation(rootPlan(validator, rules));
  // Valid arguments come here only if their numbers have lost digits. The validator has refused all
  // others already.
  const repair = context.numbers.lossy
    ? repairValue(context, request.value, location)
    : repairMismatch(context, request.value, location);
  if (repair.kind === 'fits') {
    // Reading broken text can put members into the wrong object. A rule that drops, wraps or fills
    // would hide that.
    const isHidden =
      context.texts.movesMembers &&
      repair.records.some(({ rule }) => rules.acceptsAlmostAnything(rule));
    const { value, records } = repair;
    return isHidden || !isJsonObject(value)
      ? nothingRepaired
      : { kind: 'repaired', value, records };
  }
  const places = request.numbers.lostDigits(request.value);
  // Numbers inside decoded text have no path in the value that was sent: the issue is about the
  // root.
  const unsafe = places.length === 0 && context.numbers.lossy ? [''] : places;
  return {
    kind: 'failed',
    repairedPaths: repair.repairedPaths,
    unsafe: unsafe.filter((place) => !repair.repairedPaths.includes(place)),
    isOverBudget: context.isOverBudget,
    ambiguities: context.ambiguities,
  };
}

export interface OpenedEnvelope {
  readonly value: JsonObject;
  /** JSON Pointer of the value in what was sent. */
  readonly place: string;
  readonly records: readonly RepairRecord[];
  /** Whether the arguments fail as they are, so that repair would open the envelope. */
  readonly isNeeded: boolean;
}

/** Takes arguments out of an envelope and leaves them as they are; undefined if there is none. */
export function openEnvelope(
  validator: ContractValidator,
  request: RepairRequest,
): OpenedEnvelope | undefined {
  const rules = rulesOf(validator.contract);
  const context = new RepairContext(validator, request, repairValue, rules);
  const location = rootLocation(rootPlan(validator, rules));
  const replacement = replaceValue(context, request.value, location, { mismatch: 'root' });
  if (
    replacement.kind !== 'replaced' ||
    replacement.from === undefined ||
    !isJsonObject(replacement.value)
  )
    return undefined;
  const isNeeded = !context.fits(request.value, location);
  return {
    value: replacement.value,
    place: replacement.from,
    records: replacement.records,
    isNeeded,
  };
}

/**
 * Returns the value itself if it fits, else a repaired value that fits, or a failure. `isRefused`:
 * the validator has refused the value already.
 */
function repairValue(
  context: RepairContext,
  value: JsonValue,
  location: Location,
  isRefused = false,
): Repair {
  const cachedFailure = context.failures.find(value, location, context.ignoredCount);
  if (cachedFailure !== undefined) return cachedFailure;
  if (!isRefused && context.fits(value, location)) return { kind: 'fits', value, records: [] };
  const repair = repairMismatch(context, value, location);
  if (repair.kind === 'failed')
    context.failures.keep(repair, value, location, context.ignoredCount);
  return repair;
}

/**
 * Repairs a value against its schema: envelope, keys, members, then the value itself, in passes
 * until it fits or nothing changes any more.
 */
function repairMismatch(context: RepairContext, value: JsonValue, location: Location): Repair {
  // A verbatim value is never changed, even if it is invalid.
  const { view } = location.plan;
  if (view.isVerbatim) return failedRepair;
  if (branchesIn(view).length > 0) return repairUnion(context, value, location);
  let pass: Pass = {
    kind: 'changed',
    value,
    location,
    records: [],
    repairedPaths: [],
    isReplaced: false,
  };
  for (let count = 0; count < maxPasses && !context.isOverBudget; count += 1) {
    const next = repairOnce(context, pass);
    if (next.kind === 'refuse') break;
    pass = next;
    if (pass.kind === 'unchanged') break;
    if (context.fits(pass.value, pass.location))
      return { kind: 'fits', value: pass.value, records: pass.records };
  }
  return { kind: 'failed', repairedPaths: pass.isReplaced ? [] : pass.repairedPaths };
}

const maxPasses = 8;

/** A value as the passes so far have left it. */
interface Pass {
  /** `unchanged`: no rule has changed the value. */
  readonly kind: 'changed' | 'unchanged';
  readonly value: JsonValue;
  readonly location: Location;
  readonly records: readonly RepairRecord[];
  readonly repairedPaths: readonly string[];
  /** The value itself was replaced, so paths below it are not paths of the value that was sent. */
  readonly isReplaced: boolean;
}

function repairOnce(context: RepairContext, pass: Pass): Pass | Refusal {
  const { value, location } = pass;
  if (!isContainer(value)) return replaceMismatch(context, pass);
  const placeOfValue = location.path === '' ? 'root' : 'member';
  const traits = isJsonObject(value) ? keyTraits(value, location.plan.view) : noTraits;
  const unwrappedValue = replaceValue(context, value, location, { mismatch: placeOfValue, traits });
  if (unwrappedValue.kind === 'replaced') return afterReplacement(pass, unwrappedValue);
  if (unwrappedValue.kind === 'refuse') return unwrappedValue;
  const ignoredBefore = context.ignoredCount;
  const contents = repairContents(context, value, location, traits);
  if (contents.kind === 'refuse') return contents;
  const nextPass: Pass = {
    kind: 'changed',
    value: contents.value,
    location,
    records: concat(pass.records, contents.records),
    repairedPaths: distinctPaths(pass.repairedPaths, contents.repairedPaths),
    isReplaced: pass.isReplaced,
  };
  const isChanged = contents.value !== value;
  // An unchanged value can fit now, because a misspelt key was ignored and stays as it was sent.
  if (isChanged || (context.ignoredCount > ignoredBefore && context.fits(value, location)))
    return nextPass;
  return replaceMismatch(context, nextPass);
}

/** Replaces the value itself. */
function replaceMismatch(context: RepairContext, pass: Pass): Pass {
  const { value, location } = pass;
  const mismatch = mismatchOf(context, value, location);
  const replacement = replaceValue(context, value, location, { mismatch });
  return replacement.kind === 'replaced'
    ? afterReplacement(pass, replacement)
    : { ...pass, kind: 'unchanged' };
}

/**
 * A later pass repairs some values again: without the set, their paths would double at each level.
 */
const distinctPaths = (paths: readonly string[], others: readonly string[]): readonly string[] =>
  paths.length === 0 ? others : [...new Set([...paths, ...others])];

function repairContents(
  context: RepairContext,
  value: JsonValue,
  location: Location,
  traits: KeyTraits,
): RepairedContents | Refusal {
  const { types } = location.plan.view;
  if (isJsonObject(value) && types.has('object'))
    return repairObject(context, value, location, traits);
  if (isJsonArray(value) && types.has('array')) return repairList(context, value, location);
  return unchangedContents(value);
}

const unchangedContents = (value: JsonValue): RepairedContents => ({
  kind: 'contents',
  value,
  records: [],
  repairedPaths: [],
});

/** Repairs the elements of a list, each on its own. */
function repairList(context: RepairContext, list: JsonArray, location: Location): RepairedContents {
  if (mayBeOneElement(context, list, location)) return unchangedContents(list);
  const { plan } = location;
  const repairsBelow = new RepairsBelow();
  const elements = list.map((element, index) => {
    const glance = context.glanceAt(element, plan.element(index));
    if (glance === 'fits') return element;
    const at = elementLocation(location, index, list);
    const repair = repairValue(context, element, at, glance === 'refused');
    repairsBelow.add(repair, at.path);
    return repair.kind === 'fits' ? repair.value : element;
  });
  const isChanged = elements.some((element, index) => element !== list[index]);
  if (isChanged) context.numbers.carry(list, elements);
  return {
    kind: 'contents',
    value: isChanged ? elements : list,
    records: repairsBelow.records,
    // The list is refused if two elements have become equal, so their repairs don't count.
    repairedPaths:
      plan.view.mergedSchema['uniqueItems'] === true && hasRepetition(elements)
        ? []
        : repairsBelow.repairedPaths,
  };
}

/** Whether a list may be the one element of a list of lists: `[1, 2]` for `[[1, 2]]`. */
function mayBeOneElement(context: RepairContext, list: JsonArray, location: Location): boolean {
  const { view } = location.plan;
  // A schema can be recursive, so that the one element is again a list of lists: this is tried only
  // once.
  if (location.isOneElement === true || !context.views.typesOf(view.items).has('array'))
    return false;
  if (list.length < 2 || list.some(isListOrItsText)) return false;
  const at = elementLocation(location, 0, list);
  if (list.some((element) => context.fits(element, at))) return false;
  return repairValue(context, list, { ...at, isOneElement: true }).kind === 'fits';
}

const isListOrItsText = (value: JsonValue): boolean =>
  isJsonArray(value) || (typeof value === 'string' && isContainerText(value));

/**
 * The value that replaces another one. `from`: the JSON Pointer of the new value inside the old
 * one, if it was taken out unchanged.
 */
interface ReplacedValue {
  readonly kind: 'replaced';
  readonly value: JsonValue;
  readonly location: Location;
  readonly records: readonly RepairRecord[];
  readonly from: string | undefined;
}

const afterReplacement = (pass: Pass, { value, location, records }: ReplacedValue): Pass => ({
  kind: 'changed',
  value,
  location,
  records: concat(pass.records, records),
  repairedPaths: pass.repairedPaths,
  isReplaced: true,
});

const concat = <Item>(first: readonly Item[], second: readonly Item[]): readonly Item[] =>
  first.length === 0 ? second : second.length === 0 ? first : [...first, ...second];

/**
 * What is wrong with a value. `traits`: what is wrong with the keys of an object. If they are
 * unknown, all rules are asked.
 */
interface MismatchDetails {
  readonly mismatch: Mismatch;
  readonly traits?: KeyTraits;
}

/**
 * Applies the first rule of the table, among those for this mismatch, that doesn't skip the value.
 */
function replaceValue(
  context: RepairContext,
  value: JsonValue,
  location: Location,
  { mismatch, traits }: MismatchDetails,
): ReplacedValue | Refusal | { readonly kind: 'unchanged' } {
  const rules = location.plan.rulesFor(mismatch, jsonTypeOf(value));
  if (rules.length === 0) return noReplacement;
  let locatedContext: RuleContext | undefined;
  for (const rule of rules) {
    if (traits !== undefined && rule.keys !== undefined && !hasAny(traits, rule.keys)) continue;
    // Some rules act only once on a value: if the result still doesn't fit, it is refused.
    if (location.usedRules.includes(rule.id)) return refuse;
    const proposal = rule.propose((locatedContext ??= context.ruleContext(value, location)));
    if (proposal.kind === 'skip') continue;
    if (proposal.kind === 'refuse') {
      const [one, other] = proposal.meanings ?? [];
      if (one !== undefined && other !== undefined)
        context.noteAmbiguity(location.path, { sentValue: value, one, other });
      return proposal;
    }
    const replacement = applyProposal(context, { rule, value, location, mismatch }, proposal);
    const isOff = context.rules.isOff(rule.id);
    if (proposal.onlyIfFits !== true) return isOff ? refuse : replacement;
    const repair = repairValue(context, replacement.value, replacement.location);
    if (repair.kind === 'fits' && isOff) return refuse;
    if (repair.kind === 'fits')
      return {
        ...replacement,
        value: repair.value,
        records: [...replacement.records, ...repair.records],
      };
  }
  return noReplacement;
}

const noReplacement = { kind: 'unchanged' } as const;

interface RuleApplication {
  readonly rule: ValueRule;
  readonly value: JsonValue;
  readonly location: Location;
  readonly mismatch: Mismatch;
}

function applyProposal(
  context: RepairContext,
  { rule, value, location, mismatch }: RuleApplication,
  proposal: Replacement,
): ReplacedValue {
  const { path, decodings, usedRules } = location;
  // The provider's schema has no envelope, so the arguments inside it were not mapped to the tool's
  // schema yet.
  const edit = mismatch === 'root' ? context.restoreText(proposal.value, path) : proposal.value;
  return {
    kind: 'replaced',
    value: edit,
    location:
      rule.isOnce === true || proposal.kind === 'decode'
        ? {
            ...location,
            decodings: decodings + (proposal.kind === 'decode' ? 1 : 0),
            usedRules: rule.isOnce === true ? [...usedRules, rule.id] : usedRules,
          }
        : location,
    records: [
      recordReplacement(context.views, {
        rule,
        schema: location.plan.schema,
        path,
        valueBefore: value,
        edit,
        isLossy: proposal.isLossy === true || context.texts.isLossy(proposal.value),
        shownToModel: proposal.notes === true,
      }),
      ...context.texts.recordsOfReading(proposal.value, location),
    ],
    from: proposal.from,
  };
}

function mismatchOf(context: RepairContext, value: JsonValue, location: Location): Mismatch {
  const { plan } = location;
  if (!plan.view.types.has(jsonTypeOf(value))) return 'type';
  if (typeof value === 'number' && !survivesAsNumber(context.literalOf(value, location) ?? ''))
    return 'digits';
  return pathInMarkup(value, plan.view) !== undefined && context.isPath(plan) ? 'path' : 'value';
}
