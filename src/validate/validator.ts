import { DefinitionError } from '../errors/definition-error.ts';
import { type JsonValue, isJsonObject } from '../json/value.ts';
import { quote } from '../json/preview.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { SchemaViews } from '../schema/schema-view.ts';
import { validatedSchemaOf } from '../schema/validated-schema.ts';
import type { SchemaWarning } from '../telemetry/tool-event.ts';
import type { SchemaFailure, ToolContract, Validator } from '../tool/tool-contract.ts';
import { createAjvValidator } from './ajv-validator.ts';
import { type CleanLook, type StrictFailure, StrictReader, type StrictStep } from './strict-checks.ts';

interface ContractSchema {
  readonly views: SchemaViews;
  readonly warnings: readonly SchemaWarning[];
  readonly isUnvalidated?: boolean;
}

/** Validates the arguments of one contract: its schema, the strict checks and the author's own checks. */
export class ContractValidator {
  readonly contract: ToolContract;
  readonly views: SchemaViews;
  readonly strict: StrictReader;
  /** What the developer should know about the schema. */
  readonly warnings: readonly SchemaWarning[];
  /** The schema is unusable and the contract allows that: every object is accepted as it came. */
  readonly isUnvalidated: boolean;
  readonly #schema: Validator;
  readonly #root: StrictStep;
  #mayFailStrictly: boolean | undefined;
  #look: CleanLook | undefined;

  constructor(contract: ToolContract, { views, warnings, isUnvalidated = false }: ContractSchema) {
    this.contract = contract;
    this.views = views;
    this.warnings = warnings;
    this.isUnvalidated = isUnvalidated;
    this.#root = { schema: this.views.root, path: '', name: undefined, isPath: false };
    this.strict = new StrictReader(this.views, contract.strict, (schema, value) =>
      this.acceptsPart(schema, value),
    );
    this.#schema = (contract.validator ?? createAjvValidator)(this.views.root);
  }

  /** The whole arguments, without the author's own checks. */
  accepts(value: JsonValue): boolean {
    if (!this.#schema.accepts(value)) return false;
    this.#mayFailStrictly ??= this.strict.mayFail(this.#root);
    if (!this.#mayFailStrictly) return true;
    this.#look ??= this.strict.lookAt(this.views.root);
    return this.#look.isClean(value) || this.strictFailures(value).length === 0;
  }

  /** A value against a part of the schema, without the strict checks. */
  acceptsPart(schema: JsonSchema, value: JsonValue): boolean {
    return typeof schema === 'boolean' ? schema : this.#schema.accepts(value, schema);
  }

  /** Steps of all validations so far, if the schema could take steps without end. */
  get stepsTaken(): number {
    return this.#schema.stepsTaken?.() ?? 0;
  }

  /** Every failure of a value that the schema refuses. */
  failures(value: JsonValue): readonly SchemaFailure[] {
    return this.#schema.failures(value);
  }

  strictFailures(value: JsonValue): readonly StrictFailure[] {
    return this.strict.failures(value, this.#root);
  }

  /** Failures of the author's own checks. Only for a value that passed everything else. */
  checkFailures(value: JsonValue): ReturnType<NonNullable<ToolContract['check']>> {
    return isJsonObject(value) ? (this.contract.check?.(value) ?? []) : [];
  }
}

// Made when it is first asked for; a schema that nobody can validate against is told then.
const validators = new WeakMap<ToolContract, ContractValidator>();

/** The contract's validator; made once, kept as long as the contract. A DefinitionError for a schema that is none. */
export function validatorOf(contract: ToolContract): ContractValidator {
  let validator = validators.get(contract);
  if (validator === undefined) {
    validator = validatorFor(contract);
    validators.set(contract, validator);
  }
  return validator;
}

function validatorFor(contract: ToolContract): ContractValidator {
  const { views, flaws, unknownKeywords, uncheckedPatterns } = validatedSchemaOf(contract);
  const [flaw] = flaws;
  if (flaw !== undefined) return unvalidating(contract, flaw);
  const warnings = [
    ...unlooked(contract, { code: 'unsafe_pattern', said: endlessPatterns, parts: uncheckedPatterns }),
    ...unlooked(contract, { code: 'unknown_keywords', said: unknownWords, parts: unknownKeywords }),
  ];
  try {
    return new ContractValidator(contract, { views, warnings });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    if (error instanceof EvalError)
      throw schemaError(contract, `can't be compiled (${said})`, otherValidator);
    return unvalidating(contract, `can't be compiled (${said})`);
  }
}

/** Accepts every object, where that is what the caller chose for a schema that nobody can validate against. */
function unvalidating(contract: ToolContract, flaw: string): ContractValidator {
  const { name: tool, onUnusableSchema } = contract;
  if (onUnusableSchema !== 'warn') throw schemaError(contract, flaw);
  const message = `The input schema of ${tool} ${flaw}: its calls are passed on as they come, not validated and not repaired.`;
  const views = new SchemaViews({ type: 'object' });
  const warnings = [{ tool, code: 'unusable_schema', message } as const];
  return new ContractValidator(contract, { views, warnings, isUnvalidated: true });
}

/** Parts of a schema that nobody validates against, in one sentence; no warning if there are none. */
function unlooked({ name: tool }: ToolContract, { code, said, parts }: Unlooked): readonly SchemaWarning[] {
  if (parts.length === 0) return [];
  const shown = parts
    .slice(0, mostShown)
    .map((part) => quote(part))
    .join(', ');
  const more = parts.length > mostShown ? ` and ${parts.length - mostShown} more` : '';
  return [{ tool, code, message: `The input schema of ${tool} has ${said}: ${shown}${more}.` }];
}

interface Unlooked {
  readonly code: SchemaWarning['code'];
  readonly said: string;
  readonly parts: readonly string[];
}

const endlessPatterns = 'patterns that nobody looks at, because they could take time without end';
const unknownWords = 'keywords that nobody validates against';
const mostShown = 20;

/** Where code must not be made from text. */
const otherValidator = "give validator: interpretingValidator, from 'toolmend/interpreting-validator'";

const schemaError = (
  { name }: ToolContract,
  flaw: string,
  instead = 'write valid JSON Schema 2020-12',
): DefinitionError =>
  new DefinitionError([{ where: name, what: `has an input schema that ${flaw}`, instead }]);
