// What a tool asks a person while it runs.
import {
  type OptionKinds,
  anyObject,
  checkOptions,
  milliseconds,
  required,
  string,
} from '../options/check-options.ts';
import { definitionError } from '../errors/definition-error.ts';
import { QuestionUnanswered, ToolmendError } from '../errors/errors.ts';
import { rejectChecks } from '../interpret/interpretation.ts';
import type { JsonObject } from '../json/value.ts';
import { unansweredQuestion } from '../messages/call-messages.ts';
import type { Issue } from '../messages/issue.ts';
import { type StoredAnswer, questionDigest } from '../outcomes/question.ts';
import type { FromSchema, ObjectSchema } from '../schema/from-schema-type.ts';
import type { OutputOf, StandardSchema } from '../schema/input-schema.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import { contractFromSchema } from '../tool/from-schema.ts';
import { holdsSecret } from '../tool/secrets.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { validatorOf, viewsOf } from '../validate/validator.ts';
import { applyDefaults } from './apply-defaults.ts';

/** What `context.ask` takes. */
export interface Question<Schema extends object = object> {
  /** For the person. */
  readonly question: string;
  /**
   * The schema of the answer, which is an object: a JSON Schema or a Standard Schema. Clients of MCP
   * take an object whose members are texts, numbers, booleans and enums.
   */
  readonly schema: Schema;
  /** Milliseconds until the question expires. Default: one day. */
  readonly expiresAfter?: number;
}

/**
 * Asks a person, and resolves to the answer. The call ends as `input_required` until it is answered;
 * then the tool runs again from its start, and the question has its answer. What stands before the
 * question is done again, so ask first. Rejects with a `QuestionUnanswered` if the person doesn't
 * answer, and with a DefinitionError for a schema that isn't that of an object or holds secrets.
 */
export interface Ask {
  <Schema extends StandardSchema>(question: Question<Schema>): Promise<OutputOf<Schema>>;
  <const Schema extends ObjectSchema>(question: Question<Schema>): Promise<FromSchema<Schema>>;
  <Value extends object = JsonObject>(question: Question): Promise<Value>;
}

const questionKinds: OptionKinds<Question> = {
  question: required(string),
  schema: required(anyObject('write the JSON Schema of an object, or a Standard Schema')),
  expiresAfter: milliseconds,
};

const oneDay = 24 * 60 * 60_000;

/** A question that has no answer yet. */
export interface OpenQuestion {
  readonly question: string;
  readonly schema: SchemaObject;
  readonly expiresAfter: number;
  /** The answers to the questions before it. */
  readonly answers: readonly StoredAnswer[];
  /** Why the answer that it had does not count. Empty if it had none. */
  readonly issues: readonly Issue[];
}

/** Ends the code of a tool at its question. The call is `input_required` even if it is caught. */
class WaitsForAnswer extends ToolmendError {
  constructor() {
    super('waits-for-answer', 'the call waits for an answer; let this error pass');
  }
}

/** The contract by which an answer is repaired and validated. */
export const answerContract = (tool: ToolContract, schema: object): ToolContract =>
  contractFromSchema({
    name: 'context.ask',
    inputSchema: schema,
    ...(tool.effects === undefined ? {} : { effects: tool.effects }),
  });

/** The questions of one run of a call, and the answers that are known by now. */
export class CallQuestions {
  readonly #tool: ToolContract;
  readonly #answers: readonly StoredAnswer[];
  #asked = 0;
  #open: OpenQuestion | undefined;

  constructor(tool: ToolContract, answers: readonly StoredAnswer[] = []) {
    this.#tool = tool;
    this.#answers = answers;
  }

  /** The question that keeps the call from going on. */
  get open(): OpenQuestion | undefined {
    return this.#open;
  }

  /** Throws if the code has asked, and has then returned all the same. */
  requireAnswers(): void {
    if (this.#open !== undefined) throw new WaitsForAnswer();
  }

  async ask(askedQuestion: Question): Promise<unknown> {
    checkOptions('context.ask', askedQuestion, questionKinds);
    // A question that is asked beside an open one waits for the next run.
    this.requireAnswers();
    const { question, schema, expiresAfter = oneDay } = askedQuestion;
    const contract = answerContract(this.#tool, schema);
    requireNoSecrets(contract);
    const index = this.#asked;
    this.#asked += 1;
    const { inputSchema } = contract;
    const openQuestion = (issues: readonly Issue[]): WaitsForAnswer => {
      const answers = this.#answers.slice(0, index);
      this.#open ??= { question, schema: inputSchema, expiresAfter, answers, issues };
      return new WaitsForAnswer();
    };
    const answer = this.#answers[index];
    // An answer to another question counts as little as those that were given after it.
    if (answer?.question !== questionDigest({ question, schema: inputSchema }))
      throw openQuestion([]);
    const { action, content } = answer;
    if (content !== undefined) return answerValue(contract, content, openQuestion);
    const why = action === 'accept' ? 'cancel' : action;
    throw new QuestionUnanswered(why, unansweredQuestion[why](question));
  }
}

/** The answer for the tool's code. A library's schema may refuse it by more than its JSON Schema. */
async function answerValue(
  contract: ToolContract,
  content: JsonObject,
  refusalError: (issues: readonly Issue[]) => Error,
): Promise<unknown> {
  const { validation } = contract;
  if (validation === undefined) return applyDefaults(viewsOf(contract), content);
  const validatedAnswer = await validation.take(content);
  if (validatedAnswer.kind === 'valid') return validatedAnswer.value;
  throw refusalError(rejectChecks(validatorOf(contract), {}, validatedAnswer.failures).issues);
}

function requireNoSecrets(contract: ToolContract): void {
  const views = viewsOf(contract);
  if (!holdsSecret(views, views.root)) return;
  const what = 'asks for a secret, which would be stored with the call';
  throw definitionError(
    'context.ask',
    what,
    'let the application ask for it, and take it from context.values',
  );
}
