import { objectOf } from '../collections/objects.ts';
import { pointerTo } from '../json/pointers.ts';
import { type JsonType } from '../json/value.ts';
import {
  type JsonSchema,
  type SchemaObject,
  divide,
  isNull,
  isSchemaObject,
  orNull,
} from '../schema/json-schema.ts';
import { resolveReference } from '../schema/references.ts';
import { type SchemaViews, viewsIn } from '../schema/schema-view.ts';
import {
  type DescribedSchema,
  allWords,
  conditionalKeys,
  flattenSchema,
  isEmptySchema,
  keywordWords,
  ofType,
  withTypeFirst,
  referencesAt,
  requiredWords,
  schemaTypes,
  withDescription,
} from './normalize-schema.ts';
import { type LegalNames, type RestrictedRules, type SchemaChange } from './provider-rules.ts';

/** Schemas in the result. Inlined references can grow exponentially. */
const maxSchemas = 20_000;
/** Characters added to one description, and to all descriptions of a tool. */
const maxWords = 400;
const maxWordsInTool = 6_000;

interface SchemaLocation {
  /** JSON Pointer in the tool's schema. */
  readonly pointer: string;
  /** The references that were followed. */
  readonly openReferences: ReadonlySet<string>;
}

const locationBelow = (
  location: SchemaLocation,
  ...keys: readonly (string | number)[]
): SchemaLocation => ({
  ...location,
  pointer: keys.reduce<string>(pointerTo, location.pointer),
});

const nothing: DescribedSchema = { schema: {}, words: [] };

/**
 * Transforms a schema for a provider that accepts only some keywords, in one walk from the root
 * down.
 */
export class SchemaTransformer {
  readonly #changes: SchemaChange[] = [];
  readonly #root: SchemaObject;
  readonly #views: SchemaViews;
  readonly #rules: RestrictedRules;
  readonly #names: LegalNames;
  readonly #definitions = new Map<string, SchemaObject>();
  #schemas = 0;
  #words = 0;

  constructor(root: SchemaObject, rules: RestrictedRules, names: LegalNames) {
    this.#root = root;
    this.#views = viewsIn(root);
    this.#rules = rules;
    this.#names = names;
  }

  transformRoot(): { readonly schema: SchemaObject; readonly changes: readonly SchemaChange[] } {
    const { $defs: _definitions, ...root } = this.#root;
    this.#definitions.set('#', {});
    const schema = this.#transform(root, { pointer: '', openReferences: new Set(['#']) });
    this.#definitions.delete('#');
    const definitions = [...this.#definitions].map(
      ([reference, definition]) => [reference.slice('#/$defs/'.length), definition] as const,
    );
    const $defs = definitions.length === 0 ? {} : { $defs: objectOf(definitions) };
    return { schema: { ...schema, ...$defs }, changes: this.#changes };
  }

  #note(
    kind: SchemaChange['kind'],
    rule: SchemaChange['rule'],
    what: string,
    { pointer }: SchemaLocation,
  ): void {
    this.#changes.push({ kind, rule, what, pointer });
  }

  #noteLoss(rule: SchemaChange['rule'], what: string, location: SchemaLocation): void {
    this.#note(this.#rules.kind === 'strict' ? 'not-strict' : 'lost', rule, what, location);
  }

  /** Adds words to the description, up to the limits. */
  #describe(
    schema: SchemaObject,
    words: readonly string[],
    location: SchemaLocation,
  ): SchemaObject {
    const keptWords: string[] = [];
    for (const phrase of words) {
      const length = keptWords.join('; ').length + phrase.length;
      if (length <= maxWords && this.#words + phrase.length <= maxWordsInTool) {
        keptWords.push(phrase);
        this.#words += phrase.length + 2;
      } else {
        this.#note(
          'lost',
          'description',
          `has no room for the words ${phrase.slice(0, 80)}`,
          location,
        );
      }
    }
    if (keptWords.length === 0) return schema;
    this.#note('adapted', 'description', `describes in words: ${keptWords.join('; ')}`, location);
    return withDescription(schema, [schema.description, `(${keptWords.join('; ')})`]);
  }

  #transform(schema: JsonSchema, location: SchemaLocation): SchemaObject {
    this.#schemas += 1;
    if (this.#schemas > maxSchemas) {
      this.#noteLoss('too-large', 'is too large with its references inlined', location);
      return {};
    }
    if (typeof schema === 'boolean') return this.#anyValue({}, location);
    if (schema.$ref !== undefined || schema.allOf !== undefined)
      return this.#joinedSchema(schema, location);
    return schema.anyOf === undefined && schema.oneOf === undefined
      ? this.#node(schema, location)
      : this.#union(schema, location);
  }

  #joinedSchema(schema: SchemaObject, location: SchemaLocation): SchemaObject {
    const { $ref, ...siblings } = schema;
    const { annotations, assertions } = divide(siblings);
    if ($ref !== undefined && isEmptySchema(assertions) && this.#rules.keeps('$ref', $ref))
      return this.#keptReference($ref, annotations, location);
    const references = referencesAt(schema, this.#root);
    const again = references.find((reference) => location.openReferences.has(reference));
    if (again !== undefined) return this.#recursion(again, siblings, location);
    const flat = flattenSchema(schema, this.#root);
    const openReferences = new Set([...location.openReferences, ...references]);
    return this.#describe(
      this.#transform(flat.schema, { ...location, openReferences }),
      flat.words,
      location,
    );
  }

  /** Providers allow no other keyword next to `$ref`. */
  #keptReference($ref: string, annotations: SchemaObject, location: SchemaLocation): SchemaObject {
    if (!this.#definitions.has($ref)) {
      // A definition may refer to itself.
      this.#definitions.set($ref, {});
      const at = { pointer: $ref.slice(1), openReferences: new Set([$ref]) };
      this.#definitions.set($ref, this.#transform(resolveReference($ref, this.#root) ?? {}, at));
    }
    const outer = this.#annotated(annotations, location);
    return isEmptySchema(outer) ? { $ref } : withTypeFirst({ anyOf: [{ $ref }], ...outer });
  }

  /** References are inlined, so a schema inside itself is only named. */
  #recursion(
    reference: string,
    { description }: SchemaObject,
    location: SchemaLocation,
  ): SchemaObject {
    const name =
      reference === '#' ? 'the whole arguments' : reference.slice(reference.lastIndexOf('/') + 1);
    const kind = this.#rules.kind === 'strict' ? 'not-strict' : 'adapted';
    this.#note(kind, 'recursion', `contains itself (${name})`, location);
    const { type } = resolveReference(reference, this.#root) ?? {};
    const outer = this.#transform(
      withDescription(type === undefined ? {} : { type }, [description]),
      location,
    );
    return this.#describe(outer, [`another value like ${name}`], location);
  }

  #union({ anyOf, oneOf, ...others }: SchemaObject, location: SchemaLocation): SchemaObject {
    const branches = anyOf ?? oneOf ?? [];
    const siblings = anyOf === undefined || oneOf === undefined ? others : { ...others, oneOf };
    const requiredPhrases = requiredWords(branches);
    if (requiredPhrases !== undefined)
      return this.#describe(this.#transform(siblings, location), requiredPhrases, location);
    if (anyOf === undefined) this.#note('adapted', 'union', 'is shown as anyOf', location);
    const { annotations, assertions } = divide(siblings);
    const whole = branches
      .filter((branch) => branch !== false)
      .map((branch): JsonSchema =>
        isEmptySchema(assertions) ? branch : { allOf: [assertions, branch] },
      );
    return this.#anyOf(
      whole,
      annotations,
      locationBelow(location, anyOf === undefined ? 'oneOf' : 'anyOf'),
    );
  }

  #anyOf(
    branches: readonly JsonSchema[],
    annotations: SchemaObject,
    location: SchemaLocation,
  ): SchemaObject {
    const values =
      this.#rules.kind === 'openapi' ? branches.filter((branch) => !isNull(branch)) : branches;
    if (values.length > 0 && values.length < branches.length)
      return withTypeFirst({ ...this.#anyOf(values, annotations, location), nullable: true });
    const outer = this.#annotated(annotations, location);
    const [only, ...others] = branches;
    if (only === undefined) return this.#anyValue(outer, location);
    if (others.length > 0) {
      const shownBranches = branches.map((branch, index) =>
        this.#transform(branch, locationBelow(location, index)),
      );
      return withTypeFirst({ anyOf: shownBranches, ...outer });
    }
    const inner = typeof only === 'boolean' ? {} : only;
    const whole = withDescription({ ...inner, ...outer }, [outer.description, inner.description]);
    return this.#transform(whole, locationBelow(location, 0));
  }

  /** Keeps annotations that the provider accepts, and describes the others in words. */
  #annotated(annotations: SchemaObject, location: SchemaLocation): SchemaObject {
    const { description, ...others } = annotations;
    const { schema, words } = this.#divided(Object.entries(others));
    return this.#describe(withDescription(schema, [description]), words, location);
  }

  /** Keeps keywords that the provider accepts, and describes the others in words. */
  #divided(entries: readonly (readonly [string, unknown])[]): DescribedSchema {
    const isKept = ([keyword, value]: readonly [string, unknown]): boolean => {
      // A default has the tool's own keys, which may be renamed in the schema.
      const hasOwnKeys =
        keyword === 'default' && typeof value === 'object' && this.#names.legal.size > 0;
      return !hasOwnKeys && this.#rules.keeps(keyword, value);
    };
    return {
      schema: Object.fromEntries(entries.filter(isKept)),
      words: allWords(entries.filter((entry) => !isKept(entry))),
    };
  }

  #node(schema: SchemaObject, location: SchemaLocation): SchemaObject {
    const { enum: members = [], const: constant } = schema;
    const isObject = [...members, constant].some(
      (member) => typeof member === 'object' && member !== null,
    );
    if (this.#rules.kind === 'strict' && isObject) {
      this.#noteLoss('enum', 'lists objects or arrays as its values', location);
      return {};
    }
    const types = schemaTypes(schema);
    if (types === undefined && this.#rules.kind !== 'plain') {
      const { description, ...others } = schema;
      const any = this.#anyValue(withDescription({}, [description]), location);
      return this.#describe(any, allWords(Object.entries(others)), location);
    }
    const apart = types?.filter((type) => type !== 'null') ?? [];
    const hasContainer = apart.includes('object') || apart.includes('array');
    const isSplit =
      this.#rules.kind === 'openapi' || (this.#rules.kind === 'strict' && hasContainer);
    if (types === undefined || apart.length < 2 || !isSplit)
      return this.#typed(schema, types, location);
    const { annotations, assertions } = divide(schema);
    const branches = types.map((type) => ofType(type, assertions));
    return this.#anyOf(
      branches.filter((branch) => branch.enum?.length !== 0),
      annotations,
      location,
    );
  }

  #typed(
    schema: SchemaObject,
    types: readonly JsonType[] | undefined,
    location: SchemaLocation,
  ): SchemaObject {
    const isArray = types?.includes('array') ?? (schema.items ?? schema.prefixItems) !== undefined;
    const isObject = types?.includes('object') ?? schema.properties !== undefined;
    const flat = isArray ? this.#withoutTuple(schema, location) : { schema, words: [] };
    const members = this.#members(schema);
    const object = isObject ? this.#object(schema, location) : nothing;
    const items = isArray ? this.#items(flat.schema, location) : {};
    const others = this.#divided(
      Object.entries(flat.schema).filter(([keyword]) => !handledKeywords.has(keyword)),
    );
    const { description } = schema;
    const shownSchema = {
      ...(types === undefined ? {} : this.#types(types)),
      ...(description === undefined ? {} : { description }),
      ...members.schema,
      ...object.schema,
      ...items,
      ...others.schema,
    };
    return this.#describe(
      shownSchema,
      [...members.words, ...object.words, ...flat.words, ...others.words],
      location,
    );
  }

  #types(types: readonly JsonType[]): SchemaObject {
    const isNullable = this.#rules.kind === 'openapi' && types.includes('null');
    const apart = isNullable ? types.filter((one) => one !== 'null') : types;
    const [only = 'string', ...others] = apart;
    return { type: others.length === 0 ? only : apart, ...(isNullable ? { nullable: true } : {}) };
  }

  #members({ enum: enumMembers, const: constant }: SchemaObject): DescribedSchema {
    const members = constant === undefined ? enumMembers : [constant];
    if (members === undefined) return nothing;
    if (constant !== undefined && this.#rules.keeps('const', constant))
      return { schema: { const: constant }, words: [] };
    if (this.#rules.kind !== 'openapi') return { schema: { enum: members }, words: [] };
    const strings = members.filter((member) => member !== null);
    if (strings.some((member) => typeof member !== 'string'))
      return { schema: {}, words: [keywordWords('enum', members) ?? ''] };
    return strings.length === 0 ? nothing : { schema: { enum: strings }, words: [] };
  }

  #anyValue(annotations: SchemaObject, location: SchemaLocation): SchemaObject {
    return this.#rules.kind === 'plain' ? annotations : this.#scalars(annotations, location);
  }

  /** Approximates any value for a provider that requires types. */
  #scalars(annotations: SchemaObject, location: SchemaLocation): SchemaObject {
    this.#noteLoss('any-value', 'accepts any value', location);
    const objects: readonly SchemaObject[] =
      this.#rules.kind === 'plain' ? [{ type: 'object' }] : [];
    return withTypeFirst({ anyOf: [...scalars, ...objects], ...annotations });
  }

  /** A tuple becomes an array whose elements have any of its types. */
  #withoutTuple(
    { prefixItems, ...schema }: SchemaObject,
    location: SchemaLocation,
  ): DescribedSchema {
    const { items } = schema;
    if (prefixItems === undefined)
      return items === false
        ? { schema: { ...schema, ...noItems }, words: [] }
        : { schema, words: [] };
    this.#note('adapted', 'tuple', 'is an array whose order is described in words', location);
    const rest = items === false ? [] : [isSchemaObject(items) ? items : true];
    const bounds = items === false ? { maxItems: prefixItems.length } : {};
    const anyOf = [...prefixItems, ...rest];
    return {
      schema: { ...schema, items: { anyOf }, ...bounds },
      words: allWords([['prefixItems', prefixItems]]),
    };
  }

  #items({ items }: SchemaObject, location: SchemaLocation): SchemaObject {
    const at = locationBelow(location, 'items');
    const shownItems = isSchemaObject(items) ? this.#transform(items, at) : undefined;
    const isTyped =
      shownItems !== undefined && typeKeywords.some((keyword) => shownItems[keyword] !== undefined);
    if (isTyped || (this.#rules.kind === 'plain' && this.#rules.typedItems !== true))
      return shownItems === undefined ? {} : { items: shownItems };
    return { items: this.#scalars(shownItems ?? {}, at) };
  }

  #object(schema: SchemaObject, location: SchemaLocation): DescribedSchema {
    const declaredProperties = this.#declaredProperties(schema);
    const keys = declaredProperties.map(([key]) => key);
    const properties = declaredProperties.map(
      ([key, property]) => [key, this.#property(schema, key, property, location)] as const,
    );
    const isOpen = this.#rules.kind === 'plain' && this.#rules.keeps('additionalProperties', true);
    const requiredKeys = (schema.required ?? []).filter((key) => isOpen || keys.includes(key));
    const shownRequired = this.#rules.nullForAbsent === true ? keys : [...new Set(requiredKeys)];
    const others = this.#others(schema, keys.length, location);
    // The OpenAPI subset takes no object without properties.
    const isShown = this.#rules.kind !== 'openapi' && (schema.properties !== undefined || !isOpen);
    return {
      schema: {
        ...(isShown || keys.length > 0 ? { properties: objectOf(properties) } : {}),
        ...(shownRequired.length > 0 || this.#rules.nullForAbsent === true
          ? { required: shownRequired }
          : {}),
        ...others.schema,
      },
      words: others.words,
    };
  }

  /**
   * The properties without forbidden ones (`false`), and with undeclared required ones if
   * undeclared keys can't be sent.
   */
  #declaredProperties(schema: SchemaObject): readonly (readonly [string, JsonSchema])[] {
    const { properties = {}, required = [], additionalProperties: others = true } = schema;
    const shownProperties = Object.entries(properties).filter(([, property]) => property !== false);
    if (this.#rules.kind === 'plain' || others === false) return shownProperties;
    const undeclaredKeys = required.filter((key) => !Object.hasOwn(properties, key));
    return [...shownProperties, ...undeclaredKeys.map((key) => [key, others] as const)];
  }

  #property(
    schema: SchemaObject,
    key: string,
    property: JsonSchema,
    location: SchemaLocation,
  ): SchemaObject {
    const at = locationBelow(location, 'properties', this.#names.ownNames.get(key) ?? key);
    const shownProperty = this.#transform(property, at);
    if (schema.required?.includes(key) === true) return shownProperty;
    if (this.#rules.requiresAll === true) this.#noteLoss('optional', 'may be absent', at);
    if (this.#rules.nullForAbsent !== true) return shownProperty;
    this.#note('adapted', 'optional', 'is required, and null means that it is absent', at);
    return this.#views.admits(property, null) ? shownProperty : orNull(shownProperty);
  }

  #others(schema: SchemaObject, declaredCount: number, location: SchemaLocation): DescribedSchema {
    const {
      additionalProperties: others,
      unevaluatedProperties: leftover,
      patternProperties,
    } = schema;
    if (this.#rules.kind === 'plain' && this.#rules.keeps('additionalProperties', others)) {
      const at = locationBelow(location, 'additionalProperties');
      const patterns =
        others === false ? { anyOf: Object.values(patternProperties ?? {}) } : undefined;
      const values = patternProperties === undefined ? others : patterns;
      const shownValues = typeof values === 'object' ? this.#transform(values, at) : values;
      return {
        schema: shownValues === undefined ? {} : { additionalProperties: shownValues },
        words: [],
      };
    }
    const words = typeof others === 'object' ? allWords([['additionalProperties', others]]) : [];
    if (this.#rules.kind === 'plain') return { schema: {}, words };
    const isBare = declaredCount === 0 && others === undefined && location.pointer !== '';
    const isOpen = (others ?? leftover ?? false) !== false || patternProperties !== undefined;
    if (isOpen || isBare) this.#noteLoss('open-object', 'accepts undeclared keys', location);
    else if (others !== false && conditionalKeys(schema, this.#root).length > 0)
      this.#noteLoss('open-object', 'declares keys only on a condition', location);
    return { schema: this.#rules.kind === 'strict' ? { additionalProperties: false } : {}, words };
  }
}

/** Keywords with their own transformation. */
const handledKeywords = new Set<unknown>([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  '$defs',
  'description',
]);

/** For an empty array: providers require a type of items. */
const noItems: SchemaObject = { items: { type: 'string' }, maxItems: 0 };

const scalars: readonly SchemaObject[] = [
  { type: 'string' },
  { type: 'number' },
  { type: 'boolean' },
];

const typeKeywords = ['type', 'anyOf', 'enum', 'const', '$ref'];
