import type { MetaValues, Rejected } from '../interpret/interpretation.ts';
import { noNumberTexts } from '../json/exact-numbers.ts';
import { pointerKeys, pointerTo, splitPointer } from '../json/json-pointer.ts';
import { type JsonObject, type JsonValue, isJsonObject, objectOf, ownValue } from '../json/value.ts';
import type { ArgumentMapping } from '../providers/restore-arguments.ts';
import { modelSchema } from '../tool/meta-schema.ts';
import { onceEach } from '../tool/once-each.ts';
import { SchemaViews } from '../schema/schema-view.ts';
import { maskSecrets, shownPointer } from '../tool/secrets.ts';
import type { CheckFailure, ToolContract } from '../tool/tool-contract.ts';
import type { ContractValidator } from '../validate/validator.ts';
import {
  type FailingPlace,
  compactSchema,
  declaredSchema,
  failingPlace,
  shapeOf,
} from './describe-schema.ts';
import { type WantedPlace, exampleValue } from './example-value.ts';
import { nearestName } from '../json/nearest-name.ts';
import { type Issue, type Repetition, brokenCheckKeyword } from './issue.ts';
import { nearestAdvice, onceAdvice } from './issues-from-failures.ts';
import { type Rejection, rejectionAdvice, rejectionMessage } from './rejection-message.ts';

/** Characters of the call: all of it, or nothing. */
const longestCall = 1200;

interface CallToConfirm {
  readonly meta: MetaValues;
  readonly wouldBe: JsonObject;
  /** The form in which the model knows the arguments. */
  readonly shown: ArgumentMapping | undefined;
}

/** JSON, with the meta arguments that were taken out. Secrets are described: the model has them and puts them in again. */
function callToConfirm(
  validator: ContractValidator,
  { meta, wouldBe, shown }: CallToConfirm,
): { readonly json: string; readonly secrets: 'none' | 'described' } | undefined {
  const { views } = validator;
  const masked = maskSecrets(views, views.root, wouldBe);
  const whole = isJsonObject(masked) ? withMeta(validator, meta, masked) : {};
  const json = JSON.stringify(shown === undefined ? whole : shown.toProvider(whole, noNumberTexts));
  if (json.length > longestCall) return undefined;
  return { json, secrets: masked === wouldBe ? 'none' : 'described' };
}

const withMeta = ({ contract, views }: ContractValidator, meta: MetaValues, value: JsonObject): JsonObject =>
  objectOf([
    ...Object.entries(value),
    ...contract.meta.flatMap(({ key, name, schema }) => {
      const sent = ownValue(meta, name);
      return sent === undefined ? [] : [[key, maskSecrets(views, schema, sent)] as const];
    }),
  ]);

// With the keys that it was shown.
function issueAsShown(issue: Issue, mapping: ArgumentMapping): Issue {
  const { path, names } = mapping.placeOf(issue.path);
  if (issue.key === undefined) return { ...issue, path };
  const { key } = splitPointer(mapping.placeOf(pointerTo(issue.path, issue.key)).path);
  return { ...issue, path, key, ...adviceAsShown(issue.key, issue, names) };
}

/** Of a key that is unknown, or another one's spelling. */
const unknown: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties', 'misspelt']);

/** The key that is advised, as the model knows it. */
function adviceAsShown(
  key: string,
  { keyword, advice }: Issue,
  names: ReadonlyMap<string, string>,
): Pick<Issue, 'advice'> {
  if (!unknown.has(keyword)) return {};
  for (const [name, shown] of names)
    for (const adviceOf of [nearestAdvice, onceAdvice])
      if (advice === adviceOf(name)) return { advice: adviceOf(shown) };
  if (advice !== undefined) return {};
  const nearest = nearestName(key, [...names.values()]);
  return nearest === undefined ? {} : { advice: nearestAdvice(nearest) };
}

// A model that copies one must not fail again.
/** Whether the author's own checks say nothing against a value at a place, whatever stands around it. */
function passesChecks(validator: ContractValidator, path: string, value: JsonValue): boolean {
  if (validator.contract.check === undefined) return true;
  let around = value;
  let place = '';
  for (let at = path; at !== ''; at = splitPointer(at).parent) {
    const { parent, key } = splitPointer(at);
    const isElement = validator.views.of(declaredSchema(validator.views, parent)).types.has('array');
    around = isElement ? [around] : objectOf([[key, around]]);
    place = `${pointerTo('', isElement ? 0 : key)}${place}`;
  }
  return validator.checkFailures(around).every((failure) => !`${failure.path}/`.startsWith(`${place}/`));
}

// The whole schema that it was shown.
const start = 'The whole JSON Schema of the arguments';
/** Characters for what is said of what was left out. */
const longestRemark = 40;

/** In one line of at most so many characters; undefined where there is no room for it. */
function wholeSchema(
  contract: ToolContract,
  form: Pick<ArgumentMapping, 'schema'> | undefined,
  longest: number,
): string | undefined {
  const { schema } = form ?? { schema: modelSchema(contract) };
  const compact = compactSchema(schema, longest - start.length - longestRemark);
  if (compact === undefined) return undefined;
  const { text, leftOut } = compact;
  return `${start}${leftOut === 'nothing' ? '' : ` (without ${leftOut})`}: ${text}`;
}

// Not those that are part of a secret.
/** The same issue, with a word in the place of such keys. */
function withoutSecretKeys({ views }: ContractValidator, issue: Issue): Issue {
  const path = shownPointer(views, issue.path);
  if (issue.key === undefined) return path === issue.path ? issue : { ...issue, path };
  const { key } = splitPointer(shownPointer(views, pointerTo(issue.path, issue.key)));
  if (key === issue.key) return path === issue.path ? issue : { ...issue, path };
  const { received: _name, ...told } = issue;
  return { ...told, path, key };
}

// One that would be accepted, with the meta arguments that have to be there: a model that copies it must not fail
// again.
/** Characters of an example that are shown, at most. */
const longestExample = 400;

/**
 * JSON that would be accepted at a place, with what is wrong there in it, if that can be; undefined where none can be made, or
 * only a long one.
 */
function exampleAt(
  validator: ContractValidator,
  { schema, path }: FailingPlace,
  issues: readonly Issue[],
  show: (value: JsonValue) => JsonValue = (value) => value,
): string | undefined {
  for (const wanted of wantedAt(validator, { schema, path }, issues)) {
    const example = exampleValue(validator.views, schema, wanted);
    if (example === undefined || !validator.acceptsPart(schema, example)) continue;
    if (!passesChecks(validator, path, example)) continue;
    const whole = path === '' && isJsonObject(example) ? withRequiredMeta(validator, example) : example;
    const shown = shortJson(show(whole));
    if (shown !== undefined) return shown;
  }
  return undefined;
}

/** What is tried: with what is wrong, with what is required alone, with all that is declared. */
function wantedAt(
  { views }: ContractValidator,
  { schema, path }: FailingPlace,
  issues: readonly Issue[],
): readonly (readonly WantedPlace[])[] {
  const all = [...views.of(schema).properties.keys()].map((key) => [key]);
  return [wantedBelow(path, issues), [], all];
}

/** Mistakes that are shown right in one example, at most. */
const mostWanted = 8;

function wantedBelow(path: string, issues: readonly Issue[]): readonly WantedPlace[] {
  const depth = pointerKeys(path).length;
  return issues
    .map((issue) => (issue.key === undefined ? issue.path : pointerTo(issue.path, issue.key)))
    .filter((place) => place.startsWith(`${path}/`))
    .slice(0, mostWanted)
    .map((place) => pointerKeys(place).slice(depth));
}

/** undefined where it would be too long to be shown. */
function shortJson(example: unknown): string | undefined {
  const json = JSON.stringify(example);
  return json.length <= longestExample ? json : undefined;
}

function withRequiredMeta({ contract, views }: ContractValidator, example: JsonObject): JsonObject {
  const required = contract.meta.filter(({ isRequired }) => isRequired);
  if (required.length === 0) return example;
  const added = required.map(({ key, schema }) => [key, exampleValue(views, schema) ?? null] as const);
  return objectOf([...Object.entries(example), ...added]);
}

// Shown in a rejection, with the meta arguments that have to be there.
/** The shape of a place; of the arguments as a whole with their meta arguments, where these matter. */
function shapeAt(
  { contract, views }: ContractValidator,
  place: FailingPlace,
  issues: readonly Issue[],
): string {
  const isAboutMeta =
    contract.meta.some(({ isRequired }) => isRequired) || issues.some(({ keyword }) => keyword === 'meta');
  if (place.path !== '' || !isAboutMeta) return shapeOf(views, place.schema);
  const shown = shownViewsOf(contract);
  return shapeOf(shown, shown.root);
}

const shownViewsOf = onceEach(
  (contract: ContractValidator['contract']) => new SchemaViews(modelSchema(contract)),
);

// With its keys, and where the form differs at the failing place, with the whole form.
/** What a rejection shows, with the places as the model knows them. */
export interface RejectionWords {
  readonly issues: readonly Issue[];
  /** JSON Pointer of what shape and example are of. */
  readonly place: string;
  readonly shape: string;
  readonly example: string | undefined;
}

/** `shown`: absent, where the model knows the arguments as they are. */
function rejectionWords(
  validator: ContractValidator,
  issues: readonly Issue[],
  shown: ArgumentMapping | undefined,
): RejectionWords {
  const place = failingPlace(validator.views, issues[0]?.path ?? '');
  if (shown === undefined)
    return {
      issues,
      place: place.path,
      shape: shapeAt(validator, place, issues),
      example: exampleAt(validator, place, issues),
    };
  const views = new SchemaViews(shown.schema);
  const at = shown.placeOf(place.path).path;
  const seen = failingPlace(views, at);
  const show = (value: JsonValue): JsonValue => shown.toProvider(value, noNumberTexts, place.path);
  return {
    issues: issues.map((issue) => issueAsShown(issue, shown)),
    place: seen.path,
    shape: shapeOf(views, seen.schema),
    example: seen.path === at ? exampleAt(validator, place, issues, show) : undefined,
  };
}

// With the issues, the shape there, and an example.
const asItIs: Wording = Object.freeze({});

/** `wouldBe`: the call that repair would have made, for the model to confirm. */
export function reject(
  validator: ContractValidator,
  meta: MetaValues,
  issues: Rejected['issues'],
  wouldBe?: JsonObject,
): Rejected {
  const told = issues.map((issue) => withoutSecretKeys(validator, issue));
  const rejected = { status: 'rejected', meta, repairs: [], notes: [], issues: told } as const;
  const confirm = wouldBe === undefined ? {} : { wouldBe };
  return { ...rejected, ...confirm, message: messageOf(validator, { ...rejected, ...confirm }, asItIs) };
}

/** What decides how a rejection is said. */
export interface Wording {
  /** The call has failed in the same way before. */
  readonly repetition?: Repetition | undefined;
  /** The form in which the model knows the arguments; absent: as they are. */
  readonly shown?: ArgumentMapping | undefined;
  /** The name by which it knows the tool. Default: the tool's own. */
  readonly shownName?: string | undefined;
}

/** The parts of a rejection's message: its issues, and what is said below them of how to send it right. */
export function saidOf(
  validator: ContractValidator,
  rejected: Rejected,
  wording: Wording,
): { readonly issues: Rejected['issues']; readonly advice: string } {
  const rejection = rejectionOf(validator, rejected, wording);
  return { issues: rejection.issues, advice: rejectionAdvice(rejection) };
}

/** The same rejection in other words. */
export function reworded(validator: ContractValidator, rejected: Rejected, wording: Wording): Rejected {
  const { causes } = rejected;
  const said = { ...rejected, message: messageOf(validator, rejected, wording) };
  return causes === undefined
    ? said
    : Object.defineProperty(said, 'causes', { value: causes, enumerable: false });
}

function messageOf(
  validator: ContractValidator,
  rejected: Omit<Rejected, 'message'>,
  wording: Wording,
): string {
  const { repetition, shown } = wording;
  const rejection = rejectionOf(validator, rejected, wording);
  return repetition === undefined
    ? rejectionMessage(rejection)
    : rejectionMessage(rejection, {
        ...repetition,
        schemaWithin: (longest) => wholeSchema(validator.contract, shown, longest),
      });
}

function rejectionOf(
  validator: ContractValidator,
  rejected: Omit<Rejected, 'message'>,
  { shown, shownName = validator.contract.name }: Wording,
): Rejection {
  const { meta, wouldBe } = rejected;
  const { issues, place, shape, example } = rejectionWords(validator, rejected.issues, shown);
  const confirm = wouldBe === undefined ? undefined : callToConfirm(validator, { meta, wouldBe, shown });
  return {
    tool: shownName,
    issues,
    ...(place === '' ? {} : { place }),
    shape,
    ...(example === undefined ? {} : { example }),
    ...(confirm === undefined ? {} : { wouldBe: confirm }),
  };
}

// What they say is for the model to correct; what they threw is no mistake of the model's, and for the developer
// alone.
/** A check that broke may have done so over what another one found: then only that is told. */
export function rejectChecks(
  validator: ContractValidator,
  meta: MetaValues,
  failures: readonly CheckFailure[],
): Rejected {
  const said = failures.filter((failure) => !('cause' in failure));
  const issues: readonly Issue[] =
    said.length > 0
      ? said.map(({ path, message }) => ({ keyword: 'check', path, advice: message }))
      : failures.map(({ path }) => ({ keyword: brokenCheckKeyword, path }));
  return withCauses(reject(validator, meta, issues), failures);
}

/** What a check threw is for the developer: no copy, log or JSON of a rejection has it by accident. */
function withCauses(rejected: Rejected, failures: readonly CheckFailure[]): Rejected {
  const causes = failures.flatMap((failure) => ('cause' in failure ? [failure.cause] : []));
  return causes.length === 0
    ? rejected
    : Object.defineProperty(rejected, 'causes', { value: Object.freeze(causes), enumerable: false });
}
