import { objectOf, ownValue } from '../collections/objects.ts';
import { pointerKeys, pointerTo, splitPointer } from '../json/pointers.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../json/value.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';
import { type SchemaViews, viewsIn } from '../schema/schema-view.ts';
import { redact } from '../tool/secrets.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import type { ContractValidator } from '../validate/validator.ts';
import { describeShape } from './describe-schema.ts';
import { modelSchema } from './describe-tool.ts';
import { type WantedPath, exampleValue } from './example-value.ts';
import { type Issue, isAboutMeta, isUnknownKey } from './issue.ts';
import { declaredSchema, schemaBelow } from './issues-from-failures.ts';

/** The parts of a rejected call that its message is about. */
export interface Rejection {
  readonly issues: readonly Issue[];
  /** Valid meta arguments by name. */
  readonly meta: { readonly [name: string]: JsonValue };
  /** The repaired arguments, if the model has to confirm them. */
  readonly wouldBe?: JsonObject;
}

/** Maps arguments to a provider's schema. */
export interface ProviderMapping {
  readonly schema: SchemaObject;
  /** `path`: JSON Pointer in the tool's own arguments. */
  locate(path: string): { readonly path: string };
  /** An issue of the tool's own arguments, in the provider's names. */
  issueFor(issue: Issue): Issue;
  /** A value in the tool's own arguments, as the model should have sent it. */
  toProvider(value: JsonValue, numbers: undefined, path: string): JsonValue;
}

/** Characters of a shape. A longer one gives types only for the properties that failed. */
const longShape = 240;
/** Characters of an example and of a call to confirm. Longer ones are left out. */
const maxExampleLength = 400;
const maxCallLength = 1200;
/** Issues that one example corrects, at most. */
const maxCorrections = 8;

/**
 * What the model should have sent for the innermost object that failed, with the provider's keys.
 */
export interface Correction {
  readonly issues: readonly Issue[];
  /** JSON Pointer of the value that shape and example describe. */
  readonly location: string;
  readonly shape: string;
  /** JSON that the validator accepts; undefined if there is none of at most 400 characters. */
  readonly example: string | undefined;
}

export function correctionOf(
  validator: ContractValidator,
  issues: readonly Issue[],
  mapping: ProviderMapping | undefined,
): Correction {
  const location = failingLocation(validator.views, issues[0]?.path ?? '');
  if (mapping === undefined) {
    const example = exampleAt(validator, location, issues);
    return {
      issues,
      location: location.path,
      shape: shapeWithMeta(validator, location, issues),
      example,
    };
  }
  const providerIssues = issues.map((issue) => mapping.issueFor(issue));
  const views = viewsIn(mapping.schema);
  const { path } = mapping.locate(location.path);
  const visibleLocation = failingLocation(views, path);
  return {
    issues: providerIssues,
    location: visibleLocation.path,
    shape: shapeAt(views, visibleLocation, providerIssues),
    example:
      visibleLocation.path === path ? exampleAt(validator, location, issues, mapping) : undefined,
  };
}

interface FailingLocation {
  readonly schema: JsonSchema;
  /** JSON Pointer. */
  readonly path: string;
}

/** The innermost declared object around a path, else the root. */
function failingLocation(views: SchemaViews, path: string): FailingLocation {
  let schema: JsonSchema = views.root;
  let at = '';
  let location: FailingLocation = { schema, path: at };
  for (const key of pointerKeys(path)) {
    schema = schemaBelow(views, schema, key);
    if (typeof schema === 'boolean') break;
    at = pointerTo(at, key);
    if (views.of(schema).properties.size > 0) location = { schema, path: at };
  }
  return location;
}

/**
 * The root's shape has meta arguments only if one is required or was invalid, or if an unknown key
 * was sent, which may be meant as one.
 */
function shapeWithMeta(
  { contract, views }: ContractValidator,
  location: FailingLocation,
  issues: readonly Issue[],
): string {
  const needsMeta =
    contract.meta.some(({ isRequired }) => isRequired) ||
    (contract.meta.length > 0 &&
      issues.some((issue) => isAboutMeta(issue) || (issue.path === '' && isUnknownKey(issue))));
  if (location.path !== '' || !needsMeta) return shapeAt(views, location, issues);
  const schema = modelSchema(contract);
  return shapeAt(viewsIn(schema), { schema, path: '' }, issues);
}

function shapeAt(
  views: SchemaViews,
  { schema, path }: FailingLocation,
  issues: readonly Issue[],
): string {
  const whole = describeShape(views, schema);
  if (whole.length <= longShape) return whole;
  const keys = new Set(wantedBelow(path, issues).flatMap(([key]) => key ?? []));
  // A model that invents a property has to read the names of the declared ones.
  const isNameWrong = [...keys].some((key) => !views.of(schema).properties.has(key));
  return describeShape(views, schema, {
    focus: { keys, others: isNameWrong ? 'by name' : 'left out' },
  });
}

/** JSON that the validator and the author's checks accept at a location. */
function exampleAt(
  validator: ContractValidator,
  { schema, path }: FailingLocation,
  issues: readonly Issue[],
  mapping?: ProviderMapping,
): string | undefined {
  const { views, contract } = validator;
  const all = [...views.of(schema).properties.keys()].map((key) => [key]);
  const { dispatches } = contract;
  const dispatchPaths =
    path === '' && dispatches !== undefined ? [[dispatches.name], [dispatches.arguments]] : [];
  // First with the properties that failed, then with the required ones only, then with all.
  for (const wantedPaths of [wantedBelow(path, issues), [], all]) {
    const value = exampleValue(views, schema, [...wantedPaths, ...dispatchPaths]);
    if (value === undefined || !validator.acceptsPart(schema, value)) continue;
    if (!passesChecks(validator, path, value)) continue;
    const whole =
      path === '' && isJsonObject(value) ? withRequiredMeta(contract, views, value) : value;
    const json = JSON.stringify(
      mapping === undefined ? whole : mapping.toProvider(whole, undefined, path),
    );
    if (json.length <= maxExampleLength) return json;
  }
  return undefined;
}

const wantedBelow = (path: string, issues: readonly Issue[]): readonly WantedPath[] =>
  issues
    .map((issue) => (issue.key === undefined ? issue.path : pointerTo(issue.path, issue.key)))
    .filter((pointer) => pointer.startsWith(`${path}/`))
    .slice(0, maxCorrections)
    .map((pointer) => pointerKeys(pointer).slice(pointerKeys(path).length));

/** Whether the author's checks accept a value at a location, in otherwise empty arguments. */
function passesChecks(validator: ContractValidator, path: string, value: JsonValue): boolean {
  if (validator.contract.check === undefined) return true;
  let wrappedValue = value;
  let pointer = '';
  for (let at = path; at !== ''; at = splitPointer(at).parent) {
    const { parent, key } = splitPointer(at);
    const isElement = validator.views
      .of(declaredSchema(validator.views, parent))
      .types.has('array');
    wrappedValue = isElement ? [wrappedValue] : objectOf([[key, wrappedValue]]);
    pointer = `${pointerTo('', isElement ? 0 : key)}${pointer}`;
  }
  return validator
    .checkFailures(wrappedValue)
    .every((failure) => !`${failure.path}/`.startsWith(`${pointer}/`));
}

function withRequiredMeta(
  { meta }: ToolContract,
  views: SchemaViews,
  example: JsonObject,
): JsonObject {
  const metaExamples = meta
    .filter(({ isRequired }) => isRequired)
    .map(({ key, schema }) => [key, exampleValue(views, schema) ?? null] as const);
  return metaExamples.length === 0
    ? example
    : objectOf([...Object.entries(example), ...metaExamples]);
}

/**
 * The arguments and meta arguments as JSON. `described`: words replace secrets, which the model
 * puts back.
 */
export function callToConfirm(
  { contract, views }: ContractValidator,
  { wouldBe, meta }: Required<Pick<Rejection, 'wouldBe' | 'meta'>>,
  mapping: ProviderMapping | undefined,
): { readonly json: string; readonly secrets: 'none' | 'described' } | undefined {
  const redactedValue = redact(views, wouldBe);
  const sentMeta = contract.meta.flatMap(({ key, name, schema }) => {
    const metaValue = ownValue(meta, name);
    return metaValue === undefined ? [] : [[key, redact(views, metaValue, schema)] as const];
  });
  const whole = objectOf([
    ...Object.entries(isJsonObject(redactedValue) ? redactedValue : {}),
    ...sentMeta,
  ]);
  const json = JSON.stringify(
    mapping === undefined ? whole : mapping.toProvider(whole, undefined, ''),
  );
  if (json.length > maxCallLength) return undefined;
  return { json, secrets: redactedValue === wouldBe ? 'none' : 'described' };
}
