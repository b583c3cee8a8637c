import type {
  ValidationArguments,
  ValidatorConstraintInterface,
  getMetadataStorage,
} from 'class-validator';
import { defined, isContainer, memberOf } from '../collections/objects.ts';
import { loadInstalled } from '../platform/installed-package.ts';
import { isAsyncFunction } from '../platform/object-kinds.ts';
import type { Constructor } from '../tool/tool-contract.ts';
import { isBuiltIn } from './built-in-checks.ts';
import reachable, { type TransformerStorage } from './class-transformer-storage.cjs';

export interface TransformerMetadata {
  /** The thunk of `@Type`. Not called yet, because its class may come later in the file. */
  readonly typeOf?: () => unknown;
  /** Decorators that change values and don't act on tool arguments, so they are refused. */
  readonly unsupportedDecorators: readonly string[];
  /** The functions of `@Transform`, in the order in which they run. */
  readonly transforms: readonly Transform[];
}

/** Makes the field's value of what was sent, as in class-transformer's `plainToInstance`. */
export type Transform = (key: string, value: unknown, object: object) => unknown;

/** class-transformer's `TransformationType.PLAIN_TO_CLASS`. */
const plainToClass = 0;

let storages: readonly TransformerStorage[] | undefined;

/**
 * Loaded with the first class. A bundle that leaves class-transformer outside can't `require` it,
 * so it is looked for.
 */
function transformerStorages(): readonly TransformerStorage[] {
  if (storages !== undefined || reachable.length > 0) return storages ?? (storages = reachable);
  const loadedModule: unknown = loadInstalled('class-transformer/cjs/storage.js');
  const storage: unknown =
    loadedModule instanceof Object
      ? Reflect.get(loadedModule, 'defaultMetadataStorage')
      : undefined;
  return (storages = isTransformerStorage(storage) ? [storage] : []);
}

const isTransformerStorage = (value: unknown): value is TransformerStorage =>
  value instanceof Object && 'findTypeMetadata' in value;

export const isTransformerInstalled = (): boolean => transformerStorages().length > 0;

/** `groups`: of the tool. A function with other groups doesn't run. */
export function transformerMetadataOf(
  Class: Constructor,
  member: string,
  groups: readonly string[],
): TransformerMetadata {
  let metadata = noTransformerMetadata;
  for (const storage of transformerStorages()) {
    const { typeOf, transforms, unsupportedDecorators } = metadata;
    const type = storage.findTypeMetadata(Class, member);
    const storedTransforms = storage.findTransformMetadatas(Class, member, plainToClass);
    const isRenamed = storage.findExposeMetadata(Class, member)?.options?.name !== undefined;
    const isExcluded = storage.findExcludeMetadata(Class, member) !== undefined;
    // Most fields have none of class-transformer's decorators.
    if (type === undefined && storedTransforms.length === 0 && !isRenamed && !isExcluded) continue;
    metadata = {
      ...defined({ typeOf: typeOf ?? type?.typeFunction }),
      transforms: [
        ...transforms,
        ...storedTransforms
          .filter(({ options }) => appliesTo(options?.groups, groups))
          .map(
            ({ transformFn }): Transform =>
              (key, value, obj) =>
                transformFn({ value, key, obj, type: plainToClass, options: {} }),
          ),
      ],
      unsupportedDecorators: [
        ...unsupportedDecorators,
        ...(isRenamed ? ['@Expose({ name })'] : []),
        ...(isExcluded ? ['@Exclude'] : []),
        ...(type?.options?.discriminator === undefined ? [] : ['@Type({ discriminator })']),
      ],
    };
  }
  return metadata;
}

const noTransformerMetadata: TransformerMetadata = { unsupportedDecorators: [], transforms: [] };

/**
 * Whether a decorator with groups of its own applies to a tool. One without groups applies to every
 * tool.
 */
const appliesTo = (ownGroups: readonly string[] | undefined, groups: readonly string[]): boolean =>
  ownGroups === undefined ||
  ownGroups.length === 0 ||
  ownGroups.some((group) => groups.includes(group));

/** One of class-validator's decorators on one field. */
export interface Constraint {
  readonly member: string;
  /** As it is written: `@IsInt`. */
  readonly decorator: string;
  readonly role: ConstraintRole;
  /** class-validator's name of the check, `isInt`, or the name of a custom check. */
  readonly name: string;
  /** `program`: a check of the program's own, which may be named like one of class-validator. */
  readonly origin: 'class-validator' | 'program';
  /** The decorator's parameters, without its options. */
  readonly parameters: readonly unknown[];
  /** `items`: it has `{ each: true }`. */
  readonly reach: 'value' | 'items';
  /** Its validation groups, for a tool without groups. */
  readonly groups: readonly string[];
  /** Default: it always applies. */
  readonly condition?: Condition;
  /**
   * Absent for roles that don't check, and for a validator class without `@ValidatorConstraint()`.
   */
  readonly check?: ConstraintCheck;
}

/**
 * `check`: checks the value. `defined`, `optional`, `condition`: decide whether others apply. The
 * rest are markers.
 */
export type ConstraintRole =
  'check' | 'defined' | 'optional' | 'condition' | 'nested' | 'promise' | 'allow';

export type Condition = (object: object, value: unknown) => boolean;

export interface ConstraintCheck {
  /** `author`: the decorator has its own `message`. */
  readonly wording: 'author' | 'default';
  /** Whether the validator declares itself asynchronous. */
  timing(): 'sync' | 'async';
  /** Any result but true is a failure, a promise included. */
  passes(value: unknown, object: object): unknown;
  message(value: unknown, object: object): string;
}

type Storage = ReturnType<typeof getMetadataStorage>;
/** What class-validator stores for one decorator. */
type Stored = ReturnType<Storage['getTargetValidationMetadatas']>[number];
/** What it stores for one validator. Reading `instance` creates it. */
type StoredValidator = ReturnType<Storage['getTargetValidatorConstraints']>[number];

// Checks run one by one, because class-validator's `validateSync` runs all checks of a class,
// counts a promise as passed, and fails for fields that are named like members of Object.prototype.
function constraintCheck(metadata: Stored, validator: StoredValidator): ConstraintCheck {
  // Read once and late: class-validator's container searches all its instances.
  let instanceOnce: ValidatorConstraintInterface | undefined;
  const instance = (): ValidatorConstraintInterface => (instanceOnce ??= validator.instance);
  return {
    wording: metadata.message === undefined || metadata.message === '' ? 'default' : 'author',
    timing: () =>
      validator.async || isAsyncFunction(memberOf(instance(), 'validate')) ? 'async' : 'sync',
    passes: (value, object) => instance().validate(value, argumentsOf(metadata, value, object)),
    message(value, object) {
      const context = argumentsOf(metadata, value, object);
      const ownMessage = metadata.message ?? '';
      if (ownMessage === '') return fillIn(instance().defaultMessage?.(context) ?? '', context);
      return fillIn(typeof ownMessage === 'function' ? ownMessage(context) : ownMessage, context);
    },
  };
}

const argumentsOf = (metadata: Stored, value: unknown, object: object): ValidationArguments => ({
  value,
  object,
  property: metadata.propertyName,
  constraints: [...(metadata.constraints ?? [])],
  targetName: object.constructor.name,
});

/** Fills in class-validator's placeholders: `$property`, `$value`, `$target`, `$constraint1`, … */
const fillIn = (
  message: string,
  { property, value, targetName, constraints }: ValidationArguments,
): string =>
  message.replace(/\$(?:constraint(\d+)|value|property|target)/g, (placeholder, index) => {
    if (index !== undefined) return parameterText(constraints[Number(index) - 1]);
    if (placeholder === '$value') return isPrimitive(value) ? String(value) : placeholder;
    return placeholder === '$property' ? property : targetName;
  });

/** `@MinDate` and `@MaxDate` also take a function that returns the date. */
function parameterText(parameter: unknown): string {
  if (Array.isArray(parameter)) return parameter.map(String).join(', ');
  const value = isGetter(parameter) ? parameter() : parameter;
  return value instanceof Date ? value.toISOString() : String(parameter);
}

const isGetter = (parameter: unknown): parameter is () => unknown =>
  typeof parameter === 'function' && parameter.length === 0;

const isPrimitive = (value: unknown): boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/**
 * The storage that all copies of class-validator share; undefined until one of its decorators has
 * run.
 */
function sharedStorage(): Storage | undefined {
  const storage: unknown = Reflect.get(globalThis, 'classValidatorMetadataStorage');
  return isStorage(storage) ? storage : undefined;
}

const isStorage = (value: unknown): value is Storage =>
  isContainer(value) && 'getTargetValidationMetadatas' in value;

/**
 * The constraints of the last class of a chain, parents before children; its own come first. As in
 * class-validator, a class that decorates a member again replaces its parents' constraints of the
 * same type. `groups`: of the tool; constraints of other groups are left out, unless the tool has
 * none.
 */
export function constraintsOf(
  chain: readonly Constructor[],
  groups: readonly string[],
): readonly Constraint[] {
  const applies = (one: Stored): boolean =>
    groups.length === 0 || one.always === true || appliesTo(one.groups, groups);
  const appliedMetadata = (Class: Constructor): readonly Stored[] =>
    ownStored(Class).filter(applies);
  const ownMetadata = chain.slice(-1).flatMap(appliedMetadata);
  const inheritedMetadata = chain
    .slice(0, -1)
    .flatMap(appliedMetadata)
    .filter(
      ({ propertyName, type }) =>
        !ownMetadata.some((at) => at.propertyName === propertyName && at.type === type),
    );
  const constraints = [...ownMetadata, ...inheritedMetadata].flatMap(constraintsIn);
  return groups.length === 0
    ? constraints
    : constraints.map((constraint) => ({ ...constraint, groups: [] }));
}

/**
 * The members that the class itself decorates, in the order in which decorators ran, with
 * repetitions.
 */
export const ownConstrainedMembers = (Class: Constructor): readonly string[] =>
  ownStored(Class).map(({ propertyName }) => propertyName);

function ownStored(Class: Constructor): readonly Stored[] {
  const storage = sharedStorage();
  if (storage === undefined) return [];
  const byClass: unknown = Reflect.get(storage, 'validationMetadatas');
  // The public method visits every class of the process: half a millisecond for 2,000 classes.
  const allMetadata = isStoredByClass(byClass)
    ? (byClass.get(Class) ?? [])
    : storage.getTargetValidationMetadatas(Class, '', false, false);
  return allMetadata.filter(({ target }) => target === Class);
}

const isStoredByClass = (value: unknown): value is ReadonlyMap<unknown, readonly Stored[]> =>
  value instanceof Map;

function constraintsIn(metadata: Stored): readonly Constraint[] {
  const role = roleOf(metadata);
  const base = {
    member: metadata.propertyName,
    role,
    origin: 'class-validator',
    parameters: metadata.constraints ?? [],
    reach: metadata.each ? 'items' : 'value',
    groups: metadata.always === true ? [] : (metadata.groups ?? []),
    ...conditionOf(metadata, role),
  } as const;
  if (role !== 'check' && role !== 'defined') {
    return [
      {
        ...base,
        name: metadata.name ?? role,
        decorator: decoratorOf(metadata.name ?? metadata.type),
      },
    ];
  }
  const { constraintCls, name } = metadata;
  const validators = sharedStorage()?.getTargetValidatorConstraints(constraintCls) ?? [];
  const decorator = name === undefined ? `@Validate(${constraintCls.name})` : decoratorOf(name);
  if (validators.length === 0) return [{ ...base, name: name ?? constraintCls.name, decorator }];
  const isProgramCheck = !isBuiltIn({ ...base, name, decorator, constraintCls }, takeStored);
  return validators.map((validator) => ({
    ...base,
    ...(isProgramCheck ? ({ origin: 'program', role: 'check' } as const) : {}),
    name: validator.name ?? name ?? constraintCls.name,
    decorator,
    check: constraintCheck(metadata, validator),
  }));
}

/** The only check of a class, which is removed from the storage. */
function takeStored(Class: Constructor): unknown {
  const [metadata] = ownStored(Class);
  const storage = sharedStorage() ?? {};
  for (const [member, key] of [
    ['validationMetadatas', Class],
    ['constraintMetadatas', metadata?.constraintCls],
  ] as const) {
    const stored: unknown = Reflect.get(storage, member);
    if (stored instanceof Map) stored.delete(key);
  }
  return metadata?.constraintCls;
}

/** By class-validator's `ValidationTypes`. */
function roleOf({ type, name }: Stored): ConstraintRole {
  switch (type) {
    case 'conditionalValidation':
      return name === 'isOptional' ? 'optional' : 'condition';
    case 'isDefined':
      return 'defined';
    case 'nestedValidation':
      return 'nested';
    case 'promiseValidation':
      return 'promise';
    case 'whitelistValidation':
      return 'allow';
    default:
      return 'check';
  }
}

function conditionOf(metadata: Stored, role: ConstraintRole): { readonly condition?: Condition } {
  const condition: unknown = role === 'condition' ? metadata.constraints[0] : metadata.validateIf;
  return isCondition(condition) ? { condition } : {};
}

const isCondition = (value: unknown): value is Condition => typeof value === 'function';

/** `isInt` is written `@IsInt`, `min` is written `@Min`, `isJson` is written `@IsJSON`. */
function decoratorOf(name: string): string {
  const knownDecorator = decorators.get(name);
  if (knownDecorator !== undefined) return knownDecorator;
  const rest = name.slice(1).replace(acronym, (word) => word.toUpperCase());
  const decorator = `@${oddNames.get(name) ?? name.charAt(0).toUpperCase() + rest}`;
  decorators.set(name, decorator);
  return decorator;
}

/** By the check's name: a program has a few, on all its fields. */
const decorators = new Map<string, string>();

const acronym = /(?<=^s)(?:Fqdn|Ip|Isbn|Isin|Iso|Json|Jwt|Mac|Uuid)(?![a-z])/;

const oddNames: ReadonlyMap<string, string> = new Map([
  ['conditionalValidation', 'ValidateIf'],
  ['nestedValidation', 'ValidateNested'],
  ['promiseValidation', 'ValidatePromise'],
  ['whitelistValidation', 'Allow'],
  ['isLength', 'Length'],
]);

// @nestjs/swagger.

export interface ApiProperty {
  readonly description?: string;
  /** An array or an object of members. `reach`: whose values they are. */
  readonly enum?: { readonly members: object; readonly reach: 'value' | 'items' };
  readonly examples: readonly unknown[];
}

// The keys under which @nestjs/swagger stores its metadata (`DECORATORS` in its constants.ts). It
// is not imported for them.
const listKey = 'swagger/apiModelPropertiesArray';
const propertyKey = 'swagger/apiModelProperties';

/** The static method that the compiler's plugin of @nestjs/swagger writes. */
const factoryKey = '_OPENAPI_METADATA_FACTORY';

export type DocumentedBy = '@ApiProperty' | 'plugin';

/**
 * The fields that @nestjs/swagger knows by `@ApiProperty` or by its compiler plugin, parents'
 * included.
 */
export function apiPropertyNames(Class: Constructor): ReadonlyMap<string, DocumentedBy> {
  const names: unknown = Reflect.getMetadata(listKey, Class.prototype);
  const decoratedMembers = Array.isArray(names)
    ? names.flatMap((name: unknown) => (typeof name === 'string' ? [name.replace(/^:/, '')] : []))
    : [];
  return new Map([
    ...pluginFields(Class)
      .flatMap((fields) => Object.keys(fields))
      .map((name) => [name, 'plugin'] as const),
    ...decoratedMembers.map((name) => [name, '@ApiProperty'] as const),
  ]);
}

/** What the plugin wrote about the fields of a class and its parents, the class first. */
function pluginFields(Class: object): readonly object[] {
  const parent: unknown = Object.getPrototypeOf(Class);
  const parentFields = typeof parent === 'function' ? pluginFields(parent) : [];
  const factory: unknown = Object.hasOwn(Class, factoryKey)
    ? Reflect.get(Class, factoryKey)
    : undefined;
  const fields: unknown =
    typeof factory === 'function' ? Reflect.apply(factory, Class, []) : undefined;
  return isContainer(fields) ? [fields, ...parentFields] : parentFields;
}

/** What `@ApiProperty` says counts more than what the plugin reads from the source. */
export function apiPropertyOf(Class: Constructor, name: string): ApiProperty {
  const propertyOptions: unknown = Reflect.getMetadata(propertyKey, Class.prototype, name);
  const documentingFields = pluginFields(Class).find((fields) => Object.hasOwn(fields, name));
  const [ownProperty, read] = [
    propertyIn(propertyOptions),
    propertyIn(memberOf(documentingFields, name)),
  ];
  return {
    ...read,
    ...ownProperty,
    examples: ownProperty.examples.length > 0 ? ownProperty.examples : read.examples,
  };
}

const emptyDocumentation: ApiProperty = { examples: [] };

function propertyIn(property: unknown): ApiProperty {
  if (property === undefined) return emptyDocumentation;
  const description = memberOf(property, 'description');
  const ofItems = membersIn(memberOf(memberOf(property, 'items'), 'enum'));
  const members = ofItems ?? membersIn(memberOf(property, 'enum'));
  const reach = ofItems === undefined && memberOf(property, 'isArray') !== true ? 'value' : 'items';
  const examples = [memberOf(property, 'example'), ...examplesIn(memberOf(property, 'examples'))];
  return {
    ...(typeof description === 'string' && description.trim() !== '' ? { description } : {}),
    ...(members === undefined ? {} : { enum: { members, reach } }),
    examples: examples
      .filter((example) => example !== undefined)
      .map((example) => (example instanceof Date ? example.toJSON() : example)),
  };
}

/** Since version 8, `enum` may be a function that returns the members. */
function membersIn(enumeration: unknown): object | undefined {
  const members: unknown =
    typeof enumeration === 'function' ? Reflect.apply(enumeration, undefined, []) : enumeration;
  return isContainer(members) ? members : undefined;
}

/** `examples` is an array of values, or an object of `{ value }` by name. */
const examplesIn = (examples: unknown): readonly unknown[] =>
  Array.isArray(examples)
    ? examples
    : Object.values(Object(examples)).map((namedExample) => memberOf(namedExample, 'value'));
