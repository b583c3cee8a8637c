// How does Ajv judge? It compiles JSON Schema 2020-12 to code, each part on its own, when it is first asked about.
import type { ErrorObject } from 'ajv/dist/2020.js';
import { rootAddress } from '../contract/judged-schema/root-address.ts';
import type { RootJudge, SchemaFailure } from '../contract/schema-judge.ts';
import type { JsonSchema, SchemaObject } from '../json/json-schema.ts';
import type { JsonValue } from '../json/json-value.ts';
import { ajvCompiler } from './ajv-compiler.ts';
import { mayTakeLong } from './step-budget/may-take-long.ts';
import { StepBudget } from './step-budget/step-budget.ts';

type AjvError = ErrorObject<string, Record<string, unknown>>;

/** The default judge, and the fastest. Makes code from the schema, which some places forbid. */
export const ajvJudge = (root: SchemaObject): RootJudge => {
  const budget = mayTakeLong(root) ? new StepBudget(steps) : undefined;
  const fast = ajvCompiler(root, 'fast', budget);
  let thorough: ((value: JsonValue) => readonly SchemaFailure[]) | undefined;
  // Without a function around it: this is called for each call.
  const compile = (part: JsonSchema): Accepts =>
    (part === root ? fast.getSchema(rootAddress) : undefined) ?? fast.compile(part);
  const failures = (value: JsonValue): readonly SchemaFailure[] =>
    (thorough ??= thoroughly(root, budget))(value);
  if (budget === undefined) return { compile, failures };
  const beyond = [{ keyword: 'budget_exceeded', path: '', schemaPath: '#', schema: root }];
  return {
    compile: (part) => {
      const accepts = compile(part);
      return (value) => budget.within(value, () => accepts(value), false);
    },
    failures: (value) => budget.within(value, () => failures(value), beyond),
    stepsTaken: () => budget.taken,
  };
};

/** Steps of one validation, if the schema could take steps without end. */
const steps = 100_000;

type Accepts = (value: JsonValue) => boolean;

function thoroughly(
  root: SchemaObject,
  budget: StepBudget | undefined,
): (value: JsonValue) => readonly SchemaFailure[] {
  const validate = ajvCompiler(root, 'thorough', budget).compile({ $ref: `${rootAddress}#` });
  return (value) =>
    validate(value)
      ? []
      : (validate.errors ?? []).filter(({ keyword }) => !containers.has(keyword)).map(failureOf);
}

/** Keywords whose failure is only that something below them fails, which is listed too. */
const containers: ReadonlySet<string> = new Set(['if', 'propertyNames']);

function failureOf(error: AjvError): SchemaFailure {
  const { keyword, instancePath, schemaPath, params, parentSchema, propertyName } = error;
  const key =
    propertyName ??
    params['missingProperty'] ??
    params['additionalProperty'] ??
    params['unevaluatedProperty'];
  return {
    keyword,
    path: instancePath,
    schemaPath,
    ...(typeof key === 'string' ? { key } : {}),
    schema: parentSchema ?? true,
  };
}
