import { ownValue } from '../collections/objects.ts';
import { writeJson } from '../json/serialize.ts';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../json/value.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import { digestOf } from './digests.ts';
import {
  type GivenPending,
  type PendingCall,
  hasPendingMembers,
  readPending,
} from './pending-call.ts';

export const questionFormat = 'toolmend.question';
export const questionVersion = 1;

/**
 * A question that a running tool has asked with `context.ask`, and whose call waits for the answer;
 * plain JSON. A question holds all arguments of the call in full, secrets included: show a person
 * `question` and `schema`, and what of `call` the person may see.
 */
export interface PendingQuestion extends PendingCall {
  readonly format: typeof questionFormat;
  readonly version: typeof questionVersion;
  /** As the tool asks it. */
  readonly question: string;
  /** JSON Schema of the answer, which is an object. */
  readonly schema: SchemaObject;
}

/**
 * The answer to a question, in the form of MCP's elicitation. `accept`: `content` is the answer,
 * which is repaired as arguments are. `decline`: the person doesn't want to answer. `cancel`: the
 * person has closed the question without a choice. After the last two, `context.ask` rejects with a
 * `QuestionUnanswered`.
 */
export interface QuestionAnswer {
  /** What the person has done. */
  readonly action: 'accept' | 'decline' | 'cancel';
  /** An object, or its JSON text. */
  readonly content?: unknown;
  /** Who answers, for the journal. */
  readonly by?: string;
}

/** An answer as it is stored with its call. */
export interface StoredAnswer {
  /** `sha256:…` of the question and its schema: the answer is to no other question. */
  readonly question: string;
  readonly action: QuestionAnswer['action'] | 'expire';
  /** Present if the question was answered. */
  readonly content?: JsonObject;
}

export const questionDigest = ({
  question,
  schema,
}: Pick<PendingQuestion, 'question' | 'schema'>): string =>
  digestOf(writeJson({ question, schema }).value);

const texts = ['id', 'question', 'expiresAt'];

/** Whether data has the members of a question. Its call and its schema are not checked. */
export const isQuestion = (data: JsonObject): data is JsonObject & PendingQuestion =>
  hasPendingMembers(data, questionFormat, questionVersion, texts) &&
  isJsonObject(ownValue(data, 'schema'));

/** Throws a RecordError for data that is not a question. */
export const readQuestion = (data: unknown): GivenPending<PendingQuestion> =>
  readPending(data, {
    format: questionFormat,
    noun: 'question',
    oneOf: 'a question',
    instead:
      'pass the question of an outcome input_required, as it was or parsed from JSON, or its id',
    isPending: isQuestion,
  });

const actions: ReadonlySet<unknown> = new Set(['accept', 'decline', 'cancel', 'expire']);

/** The answers in data of a journal; none if it isn't a list of answers. */
export const answersIn = (data: JsonValue | undefined): readonly StoredAnswer[] =>
  isJsonArray(data) && data.every(isStoredAnswer) ? data : [];

const isStoredAnswer = (answer: JsonValue): answer is JsonObject & StoredAnswer =>
  isJsonObject(answer) &&
  typeof answer['question'] === 'string' &&
  actions.has(answer['action']) &&
  (answer['content'] === undefined || isJsonObject(answer['content']));
