import type { FieldType, TypeOf, ValueOf } from '../decorators/types.ts';
import { type OptionKinds, checkOptions, string } from '../options/check-options.ts';
import { definitionError } from '../errors/definition-error.ts';
import {
  type Interpretation,
  type Note,
  type Rejected,
  reject,
  rejectChecks,
} from '../interpret/interpretation.ts';
import { defaultFailureLimit } from '../interpret/interpret.ts';
import { repairOptionKinds } from '../interpret/bare-schema.ts';
import { notesOf } from '../interpret/validate-or-repair.ts';
import type { JsonType, JsonValue } from '../json/value.ts';
import type { Issue } from '../messages/issue.ts';
import { answerMessage } from '../messages/rejection-message.ts';
import { type ProviderName, providerKind } from '../providers/providers.ts';
import { endedEarly, textEndOf } from '../text/decode-arguments.ts';
import type { RepairRecord } from '../repair/repair-rule.ts';
import type { FromSchema } from '../schema/from-schema-type.ts';
import type { OutputOf, StandardSchema } from '../schema/input-schema.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import type { ToJsonSchema } from '../schema/schema-libraries.ts';
import { type WarningListener, notify } from '../telemetry/tool-event.ts';
import { redactPointer } from '../tool/secrets.ts';
import type {
  Constructor,
  CreateValidator,
  OnUnusableSchema,
  RepairLevel,
  ToolContract,
} from '../tool/tool-contract.ts';
import { toolKinds } from '../tool/tool-options.ts';
import { validatorOf } from '../validate/validator.ts';
import {
  type AnswerRoot,
  readerOf,
  showsItsEnd,
  unwrappedPath,
  unwrappedRecord,
  unwrappedSchema,
  wrapper,
  wrapperPath,
  wrapText,
} from './answer-reader.ts';
import { interpretChecked } from '../registry/interpret-call.ts';
import { providerSchema } from '../registry/standard-schema.ts';

/** The options of `parseAs`. */
export interface ParseOptions {
  /**
   * The reason that the provider gave for the end of the answer: `stop`, `length`. Default:
   * unknown.
   */
  readonly finishReason?: string | null;
  /** `lossless`: an answer that needs any other repair is rejected. Default: `all`. */
  readonly repair?: RepairLevel;
  /**
   * The provider whose form of the schema the model has, as given to `answerSchema`. Default: the
   * schema's own form.
   */
  readonly provider?: ProviderName;
  /** As of a tool: class-validator's groups. */
  readonly groups?: readonly string[];
  /** As of a tool: whether `@Transform` makes the values of the instance. Default: false. */
  readonly transform?: boolean;
  /** For a schema that can't be compiled or refers to nothing in it. Default: `refuse`. */
  readonly onUnusableSchema?: OnUnusableSchema;
  /** Called once for each schema that can't be used in full. Default: none. */
  readonly warn?: WarningListener;
  /**
   * Writes the JSON Schema of a Standard Schema. Default: the converter in the schema itself,
   * otherwise that of the schema's library, if installed.
   */
  readonly toJsonSchema?: ToJsonSchema;
  /** Makes a schema's validator. Default: toolmend's own. */
  readonly validator?: CreateValidator;
  /**
   * Receives each result: repairs, issues, message. What it throws or rejects with is ignored.
   * Default: none.
   */
  readonly onInterpretation?: (answer: Parsed<unknown>) => unknown;
  /**
   * How many times in a row this answer has failed before. The message says so. Default: 0.
   */
  readonly failedBefore?: number;
  /**
   * The number of failures in a row after which the message tells the model to stop. Default: 3.
   */
  readonly failureLimit?: number;
}

/** A schema whose literal types are known: written in place or `as const`. */
type LiteralSchema =
  | { readonly type: JsonType | readonly JsonType[] }
  | { readonly enum: readonly JsonValue[] }
  | { readonly anyOf: readonly object[] };

type ScalarType = Exclude<FieldType, Constructor | (() => Constructor)>;

/** What `parseAs` made of an answer. `status`: `unchanged`, `repaired` or `rejected`. */
export type Parsed<Value> = ParsedAnswer<Value> | RejectedAnswer;

/** An answer that matches its type, as sent or after repair. */
export interface ParsedAnswer<Value> {
  /** `unchanged`: valid as sent. `repaired`: `repairs` lists every change. */
  readonly status: 'unchanged' | 'repaired';
  readonly value: Value;
  readonly repairs: readonly RepairRecord[];
  readonly notes: readonly Note[];
  readonly issues: readonly [];
}

/** An answer that matches its type neither as sent nor after repair. */
export interface RejectedAnswer {
  readonly status: 'rejected';
  readonly repairs: readonly [];
  readonly notes: readonly [];
  /** Everything that is wrong with the answer. */
  readonly issues: readonly Issue[];
  /** The message for the model, to be sent as the next user message. */
  readonly message: string;
  /** The errors that the author's own checks threw. For the application only. */
  readonly causes?: readonly unknown[];
}

const optionKinds: OptionKinds<ParseOptions> = {
  finishReason: {
    accepts: (reason) => reason === null || string.accepts(reason),
    instead: string.instead,
  },
  repair: toolKinds.repair,
  provider: providerKind,
  groups: toolKinds.groups,
  transform: toolKinds.transform,
  onUnusableSchema: repairOptionKinds.onUnusableSchema,
  warn: repairOptionKinds.warn,
  toJsonSchema: repairOptionKinds.toJsonSchema,
  validator: repairOptionKinds.validator,
  onInterpretation: repairOptionKinds.onInterpretation,
  failedBefore: repairOptionKinds.failedBefore,
  failureLimit: repairOptionKinds.failureLimit,
};

/**
 * The JSON Schema for the model's answer, for a provider's option such as `response_format`, or for
 * the prompt. `provider`: in that provider's form, such as `openai-strict`. Throws a
 * DefinitionError for a class or schema that can't be used, and for a type other than an object if
 * the provider needs an object. All providers except `gemini`, `grammar` and `ollama` need an
 * object.
 */
export function answerSchema(type: object, provider: ProviderName = 'neutral'): SchemaObject {
  const { root, contract } = readerOf(type);
  if (root.kind === 'object') return providerSchema(contract, provider);
  if (provider === 'neutral') return root.mapping.schema;
  const shownSchema = anyRootProviders.has(provider)
    ? unwrappedSchema(providerSchema(contract, provider))
    : undefined;
  if (shownSchema !== undefined) return shownSchema;
  const what = `was given a schema that is not that of an object for ${provider}`;
  throw definitionError('answerSchema', what, 'put it into a property of an object');
}

/** Their option for answers takes the schema of any value. */
const anyRootProviders: ReadonlySet<ProviderName> = new Set(['gemini', 'grammar', 'ollama']);

/**
 * Reads a model's answer that is not a tool call, by a class with decorated fields, a type as
 * `arrayOf(Edit)`, a JSON Schema of any value, or a Standard Schema, with the repairs of tool
 * calls. A class gives an instance, a Standard Schema its output. `text`: null is an empty answer.
 * Throws a DefinitionError for a class or schema that can't be used, and for a text that is not a
 * string.
 */
export function parseAs<Schema extends StandardSchema>(
  schema: Schema,
  text: string | null | undefined,
  options?: ParseOptions,
): Parsed<OutputOf<Schema>>;
export function parseAs<Type extends ScalarType | TypeOf<unknown> | Constructor>(
  type: Type,
  text: string | null | undefined,
  options?: ParseOptions,
): Parsed<ValueOf<Type>>;
export function parseAs<const Schema extends LiteralSchema>(
  schema: Schema,
  text: string | null | undefined,
  options?: ParseOptions,
): Parsed<FromSchema<Schema>>;
export function parseAs<Value = JsonValue>(
  schema: object,
  text: string | null | undefined,
  options?: ParseOptions,
): Parsed<Value>;
export function parseAs(
  type: object,
  text: string | null | undefined,
  options: ParseOptions = {},
): Parsed<unknown> {
  checkOptions('parseAs', options, optionKinds);
  requireText(text);
  const answer = parseText(type, text ?? '', options);
  const { onInterpretation } = options;
  if (onInterpretation !== undefined) notify(() => onInterpretation(answer));
  return answer;
}

function parseText(type: object, text: string, options: ParseOptions): Parsed<unknown> {
  const reader = readerOf(type, options);
  const contract = options.repair === 'lossless' ? reader.lossless : reader.contract;
  const interpretation = interpretText(contract, reader.root, text, options);
  if (interpretation.status === 'rejected')
    return rejectedAnswer(contract, reader.root, interpretation, options);
  const { status, issues } = interpretation;
  const isWrapped = reader.root.kind === 'wrapped';
  const repairs = isWrapped ? interpretation.repairs.map(unwrappedRecord) : interpretation.repairs;
  const { views } = validatorOf(contract);
  const shownPath = (path: string): string =>
    unwrappedPath(redactPointer(views, isWrapped ? wrapperPath + path : path));
  const result = reader.make(interpretation.value);
  if (result.kind === 'invalid')
    return rejectedAnswer(
      contract,
      reader.root,
      rejectChecks(validatorOf(contract), {}, result.failures),
      options,
    );
  const notes = notesOf(repairs, shownPath, 'part of the answer');
  return { status, value: result.value, repairs, notes, issues };
}

function requireText(text: unknown): void {
  if (typeof text === 'string' || text === null || text === undefined) return;
  const what = `was given ${Array.isArray(text) ? 'an array' : `a value of type ${typeof text}`} for the answer`;
  const instead = 'pass the text as the model wrote it, or JSON.stringify(value)';
  throw definitionError('parseAs', what, instead);
}

function interpretText(
  contract: ToolContract,
  root: AnswerRoot,
  text: string,
  { finishReason, provider }: ParseOptions,
): Interpretation {
  // Not the arguments of a call without any.
  if (text.trim() === '')
    return reject(validatorOf(contract), {}, [{ keyword: 'not_sent', path: '' }]);
  const end = typeof finishReason === 'string' ? { finishReason } : {};
  const isCut = endedEarly(textEndOf(end.finishReason));
  if (isCut && root.kind === 'wrapped' && !showsItsEnd(text, root))
    return reject(validatorOf(contract), {}, [{ keyword: 'truncated', path: '' }]);
  const argumentsText = root.kind === 'object' ? text : wrapText(text, root);
  return interpretChecked(contract, { arguments: argumentsText, ...end }, { provider });
}

function rejectedAnswer(
  contract: ToolContract,
  { mapping }: AnswerRoot,
  { issues, meta, wouldBe, causes }: Rejected,
  { failedBefore = 0, failureLimit = defaultFailureLimit }: ParseOptions,
): RejectedAnswer {
  const answerIssues = issues.map((issue) => answerIssue(issue, mapping !== undefined));
  const rejection = { issues: answerIssues, meta, ...(wouldBe === undefined ? {} : { wouldBe }) };
  const repetition =
    failedBefore < 1 ? undefined : { times: failedBefore + 1, limit: failureLimit };
  const answer = {
    status: 'rejected',
    repairs: [],
    notes: [],
    issues:
      mapping === undefined
        ? answerIssues
        : answerIssues.map((issue) => ({ ...issue, path: unwrappedPath(issue.path) })),
    message: answerMessage(validatorOf(contract), rejection, { mapping, repetition }),
  } as const;
  if (causes === undefined) return answer;
  return Object.defineProperty(answer, 'causes', { value: causes, enumerable: false });
}

/** Advice about a position in the text is left out if the text was wrapped. */
function answerIssue({ advice, key, ...issue }: Issue, isWrapped: boolean): Issue {
  const shownIssue =
    key === undefined || (isWrapped && key === wrapper) ? issue : { ...issue, key };
  if (advice === undefined || (isWrapped && issue.keyword === 'not_json')) return shownIssue;
  return { ...shownIssue, advice: issue.keyword === 'truncated' ? 'send it whole' : advice };
}
