// Is a value what the contract asks for? The only judge: schema, strict readings and the author's own checks.
import type { RootJudge, SchemaFailure } from '../contract/schema-judge.ts';
import type { SchemaViews } from '../contract/schema-view.ts';
import type { ToolContract } from '../contract/tool-contract.ts';
import type { JsonSchema, SchemaObject } from '../json/json-schema.ts';
import { isJsonObject, type JsonValue } from '../json/json-value.ts';
import type { SchemaWarning } from '../telemetry/schema-warning.ts';
import { ajvJudge } from './ajv-judge.ts';
import type { CleanLook } from './clean-look.ts';
import { StrictReader, type StrictFailure, type StrictStep } from './strict-readings.ts';

interface JudgedContract {
  readonly views: SchemaViews;
  readonly warnings: readonly SchemaWarning[];
  readonly isUnjudged?: boolean;
}

/** Judges the values of one contract. Everything is compiled when it is first asked for, and kept. */
export class Judge {
  readonly contract: ToolContract;
  readonly views: SchemaViews;
  readonly strict: StrictReader;
  /** What there is to say of the schema; nobody has been told yet. */
  readonly warnings: readonly SchemaWarning[];
  /** Nobody can judge by the schema: every object is accepted as it is. */
  readonly isUnjudged: boolean;
  readonly #schemas: RootJudge;
  readonly #compiled = new WeakMap<object, (value: JsonValue) => boolean>();
  readonly #acceptsRoot: (value: JsonValue) => boolean;
  readonly #root: StrictStep;
  #mayFailStrictly: boolean | undefined;
  #look: CleanLook | undefined;

  constructor(contract: ToolContract, { views, warnings, isUnjudged = false }: JudgedContract) {
    this.contract = contract;
    this.views = views;
    this.warnings = warnings;
    this.isUnjudged = isUnjudged;
    this.#root = { schema: this.views.root, path: '', name: undefined, isPath: false };
    this.strict = new StrictReader(this.views, contract.strict, (schema, value) =>
      this.acceptsPart(schema, value),
    );
    this.#schemas = (contract.judge ?? ajvJudge)(this.views.root);
    this.#acceptsRoot = this.#schemas.compile(this.views.root);
  }

  /** The whole arguments: schema and strict readings, without the author's own checks. */
  accepts(value: JsonValue): boolean {
    if (!this.#acceptsRoot(value)) return false;
    this.#mayFailStrictly ??= this.strict.mayFail(this.#root);
    if (!this.#mayFailStrictly) return true;
    this.#look ??= this.strict.lookAt(this.views.root);
    return this.#look.isClean(value) || this.strictFailures(value).length === 0;
  }

  /** One place by its own schema, without strict readings. */
  acceptsPart(schema: JsonSchema, value: JsonValue): boolean {
    if (typeof schema === 'boolean') return schema;
    if (schema === this.views.root) return this.#acceptsRoot(value);
    let compiled = this.#compiled.get(schema);
    if (compiled === undefined) {
      compiled = this.#compile(schema);
      this.#compiled.set(schema, compiled);
    }
    return compiled(value);
  }

  /** What only joins schemas is asked of each: most of them are compiled already. */
  #compile(schema: SchemaObject): (value: JsonValue) => boolean {
    const { allOf, ...beside } = schema;
    if (allOf === undefined || Object.keys(beside).length > 0) return this.#schemas.compile(schema);
    return (value) => allOf.every((part) => this.acceptsPart(part, value));
  }

  /** What of a schema holds for this value, its conditions being met or not. */
  assuming(schema: JsonSchema, value: JsonValue): JsonSchema {
    const outcomes = this.views.outcomes(schema, value, (part, asked) => this.acceptsPart(part, asked));
    return this.views.assuming(schema, outcomes);
  }

  /** Steps of all judgements so far, where the schema could take steps without end. */
  get stepsTaken(): number {
    return this.#schemas.stepsTaken?.() ?? 0;
  }

  /** Every failure of the schema, as data. Asked only after `accepts` said no. */
  failures(value: JsonValue): readonly SchemaFailure[] {
    return this.#schemas.failures(value);
  }

  strictFailures(value: JsonValue): readonly StrictFailure[] {
    return this.strict.failures(value, this.#root);
  }

  /** What the author's own checks say of a value that passed everything else. */
  checkFailures(value: JsonValue): ReturnType<NonNullable<ToolContract['check']>> {
    return isJsonObject(value) ? (this.contract.check?.(value) ?? []) : [];
  }
}
