import { quote } from '../json/preview.ts';
import { memoize } from '../collections/memoize.ts';
import { type JsonValue, isJsonObject, jsonTypes } from '../json/value.ts';
import { draftOf, checkKeywords, misspeltKeyword } from '../schema/keywords.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { withSafePatterns } from '../schema/patterns.ts';
import { bundleReferences, endlessReference, rootAddress } from '../schema/references.ts';
import { malformedHints, SchemaViews, viewsIn } from '../schema/schema-view.ts';
import { schemaError } from '../tool/from-schema.ts';
import type { SchemaWarning } from '../telemetry/tool-event.ts';
import type {
  CheckFailure,
  SchemaFailure,
  ToolContract,
  Validator,
} from '../tool/tool-contract.ts';
import { schemaValidator } from './schema-validator.ts';
import { type LocationCheck, type StrictFailure, StrictChecks } from './strict-checks.ts';

interface ContractSchema {
  readonly views: SchemaViews;
  readonly warnings: readonly SchemaWarning[];
  readonly schema?: Validator;
}

/**
 * Validates the arguments of one contract: its schema, the strict checks and the author's own
 * checks.
 */
export class ContractValidator {
  readonly contract: ToolContract;
  readonly views: SchemaViews;
  readonly strict: StrictChecks;
  /** For the developer: ignored patterns and keywords, or that the schema is unusable. */
  readonly warnings: readonly SchemaWarning[];
  /** The schema is unusable, the contract allows that, and every object is accepted. */
  readonly isUnvalidated: boolean;
  readonly #schema: Validator;
  readonly #strictRoot: LocationCheck;

  constructor(contract: ToolContract, { views, warnings, schema }: ContractSchema) {
    this.contract = contract;
    this.views = views;
    this.warnings = warnings;
    this.isUnvalidated = warnings.some(({ code }) => code === 'unusable_schema');
    this.strict = new StrictChecks(
      views,
      contract.strict,
      (part, value) => this.acceptsPart(part, value),
      contract.effects === 'destructive',
    );
    this.#schema = schema ?? (contract.validator ?? schemaValidator)(views.root);
    this.#strictRoot = this.strict.at(views.root);
  }

  /**
   * Whether the schema and the strict checks accept the whole arguments. The author's checks don't
   * run.
   */
  accepts(value: JsonValue): boolean {
    return (
      this.#schema.accepts(value) &&
      (this.#strictRoot.isClean(value) || this.strictFailures(value).length === 0)
    );
  }

  /** Whether a part of the schema accepts a value. The strict checks don't run. */
  acceptsPart(schema: JsonSchema, value: JsonValue): boolean {
    return typeof schema === 'boolean' ? schema : this.#schema.accepts(value, schema);
  }

  /**
   * Steps of all validations so far; 0 if validation always takes time proportional to the value's
   * size.
   */
  get stepsTaken(): number {
    return this.#schema.stepsTaken?.() ?? 0;
  }

  /** The failures of arguments that the schema refuses, or of a value that a part of it refuses. */
  failures(value: JsonValue, part?: JsonSchema): readonly SchemaFailure[] {
    return this.#schema.failures(value, part);
  }

  strictFailures(value: JsonValue): readonly StrictFailure[] {
    return this.#strictRoot.failures(value, '');
  }

  /**
   * The failures of the author's own checks. Call it only for arguments that pass everything else.
   */
  checkFailures(value: JsonValue): readonly CheckFailure[] {
    return isJsonObject(value) ? (this.contract.check?.(value) ?? []) : [];
  }
}

/** A tool's schema in the form in which it is validated: 2020-12, bundled, with safe patterns. */
interface ValidatedSchema {
  readonly views: SchemaViews;
  /** Why the schema can't be used, as a clause. `views` are then those of any object. */
  readonly problem?: string;
  /** What the validation ignores, by the code of its warning. */
  readonly ignoredParts: readonly (readonly [IgnoredCode, readonly string[]])[];
}

export const validatedSchemaOf = memoize(
  ({
    inputSchema,
    unusable,
    binding,
    onUnusableSchema,
    validation,
  }: ToolContract): ValidatedSchema => {
    const { unknown, misused: misusedKeywords } = checkKeywords(inputSchema);
    const unusableFor = (problem: string): ValidatedSchema => ({
      views: new SchemaViews({ type: 'object' }),
      problem,
      ignoredParts: [],
    });
    if (unusable !== undefined) return unusableFor(unusable);
    const draft = draftOf(inputSchema);
    if (draft === undefined)
      return unusableFor(`is written in the unknown draft ${String(inputSchema.$schema)}`);
    if (misusedKeywords[0] !== undefined) return unusableFor(misusedKeywords[0]);
    const {
      root: bundledSchema,
      unresolvedReferences,
      external,
    } = bundleReferences(inputSchema, draft, rootAddress);
    const isRefused = inputSchema.$ref !== undefined || onUnusableSchema === 'refuse';
    const reference = unresolvedReferences.find((one) => isRefused || !external.includes(one));
    if (reference !== undefined) return unusableFor(`refers to ${reference}, which is not in it`);
    // The author of a class is the developer: none of its patterns is removed.
    const isTrusted = binding.kind === 'class' || binding.kind === 'method';
    const { schema: root, invalid, unsafe } = withSafePatterns(bundledSchema, isTrusted);
    const [reason] = invalid;
    // A library checks its own patterns.
    if (reason !== undefined && validation === undefined)
      return unusableFor(`can't be compiled (${reason})`);
    const endless = endlessReference(root);
    if (endless !== undefined)
      return unusableFor(`can't be compiled (${endless} leads back to itself)`);
    return {
      views: viewsIn(root),
      ignoredParts: [
        ['unsafe_pattern', unsafe],
        ['unknown_keywords', unknown],
        ['external_reference', external],
        ['malformed_hints', malformedHints(inputSchema)],
      ],
    };
  },
);

/** The views of a contract's schema; of any object if the schema is unusable. */
export const viewsOf = (contract: ToolContract): SchemaViews => validatedSchemaOf(contract).views;

/**
 * The validator of a contract. Throws a DefinitionError for an unusable schema, unless the contract
 * allows it.
 */
export const validatorOf = memoize((contract: ToolContract): ContractValidator => {
  const { views, problem, ignoredParts } = validatedSchemaOf(contract);
  if (problem !== undefined) return withoutValidation(contract, problem);
  const warnings = [
    ...typeWarning(contract),
    ...ignoredParts.flatMap(([code, parts]) => warningAbout(contract, code, parts)),
  ];
  try {
    return new ContractValidator(contract, { views, warnings });
  } catch (error) {
    const problemOfError = `can't be compiled (${error instanceof Error ? error.message : String(error)})`;
    if (error instanceof EvalError)
      throw schemaError(
        contract.name,
        problemOfError,
        'leave the option validator out: the default validator generates no code',
      );
    return withoutValidation(contract, problemOfError);
  }
});

function withoutValidation(contract: ToolContract, problem: string): ContractValidator {
  const { name: tool, onUnusableSchema } = contract;
  if (onUnusableSchema !== 'warn')
    throw schemaError(tool, problem, 'write valid JSON Schema 2020-12');
  const message = `The input schema of ${tool} ${problem}: its calls are passed on as they come, not validated and not repaired.`;
  const warnings = [{ tool, code: 'unusable_schema', message } as const];
  return new ContractValidator(contract, { views: new SchemaViews({ type: 'object' }), warnings });
}

function typeWarning({ name: tool, typeWords = [] }: ToolContract): readonly SchemaWarning[] {
  if (typeWords.length === 0) return [];
  const readWords = typeWords.slice(0, maxShown).map(({ word, types }) => {
    const meaning = types.length === jsonTypes.length ? 'any type' : types.join(' or ');
    return `${quote(word)} as ${meaning}`;
  });
  const more = typeWords.length > maxShown ? ` and ${typeWords.length - maxShown} more` : '';
  const message = `The input schema of ${tool} has types that JSON Schema doesn't have; they are read as what they mean: ${readWords.join(', ')}${more}.`;
  return [{ tool, code: 'type_words', message }];
}

const ignoredWords = {
  unsafe_pattern: 'patterns that are ignored, because they could take unlimited time',
  unknown_keywords: 'keywords that are ignored, because no draft of JSON Schema knows them',
  external_reference: 'references to other documents, where any value is accepted',
  malformed_hints: 'hints that are ignored, because they are malformed',
} as const;

type IgnoredCode = keyof typeof ignoredWords;

const maxShown = 20;

/** One warning for all ignored parts of a schema. */
function warningAbout(
  { name: tool }: ToolContract,
  code: IgnoredCode,
  parts: readonly string[],
): readonly SchemaWarning[] {
  if (parts.length === 0) return [];
  const meantBy = code === 'unknown_keywords' ? misspeltKeyword : () => undefined;
  const listedParts = parts.slice(0, maxShown).map((part) => ({ part, near: meantBy(part) }));
  const shownParts = listedParts.map(({ part, near }) =>
    near === undefined ? quote(part) : `${quote(part)} (did you mean ${near}?)`,
  );
  const nearKeywords = [...new Set(listedParts.flatMap(({ near }) => near ?? []))];
  const more = parts.length > maxShown ? ` and ${parts.length - maxShown} more` : '';
  const message = `The input schema of ${tool} has ${ignoredWords[code]}: ${shownParts.join(', ')}${more}.`;
  return [{ tool, code, message, ...(nearKeywords.length === 0 ? {} : { meant: nearKeywords }) }];
}
