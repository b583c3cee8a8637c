// Is a value what the contract asks for? The only judge: schema, strict readings and the author's own checks.
import { endlessReference } from '../contract/endless-references.ts';
import { viewsOf } from '../contract/judged-schema.ts';
import type { SchemaViews } from '../contract/schema-view.ts';
import type { ToolContract } from '../contract/tool-contract.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import type { JsonSchema } from '../json/json-schema.ts';
import { isJsonObject, type JsonValue } from '../json/json-value.ts';
import type { CleanLook } from './clean-look.ts';
import type { CompiledSchema, JudgedError } from './compile-schema.ts';
import { schemaCompiler } from './compile-schema.ts';
import { StrictReader, type StrictFailure, type StrictStep } from './strict-readings.ts';

/** Judges the values of one contract. Everything is compiled when it is first asked for, and kept. */
export class Judge {
  readonly contract: ToolContract;
  readonly views: SchemaViews;
  readonly strict: StrictReader;
  readonly #compile: (schema: JsonSchema) => CompiledSchema;
  readonly #compiled = new WeakMap<object, CompiledSchema>();
  readonly #acceptsRoot: CompiledSchema;
  readonly #root: StrictStep;
  #thorough: CompiledSchema | undefined;
  #mayFailStrictly: boolean | undefined;
  #look: CleanLook | undefined;

  constructor(contract: ToolContract) {
    this.contract = contract;
    this.views = viewsOf(contract);
    this.#root = { schema: this.views.root, path: '', name: undefined, isPath: false };
    this.strict = new StrictReader(this.views, contract.strict, (schema, value) =>
      this.acceptsPart(schema, value),
    );
    this.#compile = schemaCompiler(this.views.root, 'fast');
    this.#acceptsRoot = this.#compile(this.views.root);
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

  /** Every failure of the schema, in the judge's own words. Asked only after `accepts` said no. */
  errors(value: JsonValue): readonly JudgedError[] {
    this.#thorough ??= schemaCompiler(this.views.root, 'thorough')(this.views.root);
    return this.#thorough(value) ? [] : (this.#thorough.errors ?? []);
  }

  strictFailures(value: JsonValue): readonly StrictFailure[] {
    return this.strict.failures(value, this.#root);
  }

  /** What the author's own checks say of a value that passed everything else. */
  checkFailures(value: JsonValue): ReturnType<NonNullable<ToolContract['check']>> {
    return isJsonObject(value) ? (this.contract.check?.(value) ?? []) : [];
  }
}

const judges = new WeakMap<ToolContract, Judge>();

/** The contract's judge; made once, kept as long as the contract. A DefinitionError for a schema that is none. */
export function judgeOf(contract: ToolContract): Judge {
  let judge = judges.get(contract);
  if (judge === undefined) {
    judge = compiledJudge(contract);
    judges.set(contract, judge);
  }
  return judge;
}

function compiledJudge(contract: ToolContract): Judge {
  const endless = endlessReference(viewsOf(contract).root);
  if (endless !== undefined) throw schemaError(contract, `${endless} leads back to itself`);
  try {
    return new Judge(contract);
  } catch (error) {
    throw schemaError(contract, error instanceof Error ? error.message : String(error));
  }
}

const schemaError = ({ name }: ToolContract, said: string): DefinitionError =>
  new DefinitionError([
    {
      where: name,
      what: `has an input schema that can't be compiled (${said})`,
      instead: 'write valid JSON Schema 2020-12',
    },
  ]);
