// Questions of tools as elicitations: the client asks its user. With SDK 2, the question is the result
// of the call, and the client sends the call again with the answer; for clients of older revisions,
// the server of SDK 2 sends an elicitation request itself. With SDK 1, the adapter sends that request.
import { defined, memberOf, objectOf } from '../../collections/objects.ts';
import type { PendingQuestion, QuestionAnswer } from '../../outcomes/question.ts';
import type { InputRequired } from '../../outcomes/tool-outcome.ts';
import type { Elicit } from '../../run/call-options.ts';
import { type SchemaObject, isSchemaObject } from '../../schema/json-schema.ts';
import type { RequestFacts } from './first-sdk.ts';

/** `elicitation/create` of the protocol, in its form mode. */
interface ElicitationParams {
  readonly mode: 'form';
  readonly message: string;
  readonly requestedSchema: SchemaObject;
}

/**
 * A result of the protocol's revision 2026-07-28. For clients of older revisions, the server of SDK 2
 * makes requests of its `inputRequests`.
 */
export interface InputRequiredResult {
  readonly resultType: 'input_required';
  readonly inputRequests: {
    readonly answer: { readonly method: 'elicitation/create'; readonly params: ElicitationParams };
  };
  /** The id of the question. It can't be guessed, and its tenant is checked. */
  readonly requestState: string;
}

/** The member of a request's envelope with the capabilities that the client declares. */
const clientCapabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';

/**
 * The question as a result with which the client asks its user. Undefined if the client has no forms,
 * if a form can't express the answer, and for a call with secrets: then the outcome is a text.
 */
export function elicitingResult(
  { question, problem }: InputRequired,
  request: RequestFacts,
  clientCapabilities: unknown,
): InputRequiredResult | undefined {
  const declaredCapability =
    memberOf(request.envelope, clientCapabilitiesKey) ?? clientCapabilities;
  const params = canElicit(declaredCapability) ? paramsOf(question, problem) : undefined;
  // A question has a nonce if its call holds secrets. The journal doesn't store such a call, and the
  // client sends back only the question's id, which isn't enough to run it.
  if (params === undefined || question.nonce !== undefined) return undefined;
  return {
    resultType: 'input_required',
    inputRequests: { answer: { method: 'elicitation/create', params } },
    requestState: question.id,
  };
}

/** The answer in a call that the client has sent again, and the id of its question. */
export function answerIn({
  inputResponses,
  requestState,
}: RequestFacts): { readonly question: string; readonly answer: QuestionAnswer } | undefined {
  const question: unknown = requestState?.();
  const answer = readAnswer(memberOf(inputResponses, 'answer'));
  return typeof question === 'string' && answer !== undefined ? { question, answer } : undefined;
}

/** Asks the client of a server of SDK 1. Undefined if the client can't be asked. */
export function elicitOf(
  { sendRequest }: RequestFacts,
  clientCapabilities: unknown,
): Elicit | undefined {
  if (sendRequest === undefined || !canElicit(clientCapabilities)) return undefined;
  return async (question, { problem }) => {
    const params = paramsOf(question, problem);
    if (params === undefined) return undefined;
    return readAnswer(await sendRequest('elicitation/create', { ...params }));
  };
}

/** A capability without modes is that of an older revision, whose only mode is the form. */
function canElicit(capabilities: unknown): boolean {
  const elicitation = memberOf(capabilities, 'elicitation');
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return memberOf(elicitation, 'form') !== undefined || memberOf(elicitation, 'url') === undefined;
}

function readAnswer(result: unknown): QuestionAnswer | undefined {
  const action = memberOf(result, 'action');
  const content = memberOf(result, 'content');
  return action === 'accept' || action === 'decline' || action === 'cancel'
    ? { action, ...(content === undefined ? {} : { content }) }
    : undefined;
}

function paramsOf(
  { question, schema }: PendingQuestion,
  problem: string | undefined,
): ElicitationParams | undefined {
  const requestedSchema = formSchema(schema);
  const message = problem === undefined ? question : `${question}\n\n${problem}`;
  return requestedSchema && { mode: 'form', message, requestedSchema };
}

/**
 * The schema as the protocol allows it: an object of texts, numbers, booleans and enums
 * (https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#requested-schema).
 * Undefined if a member is of another kind. Constraints that a form can't express are checked when
 * the answer comes.
 */
function formSchema({ properties = {}, required }: SchemaObject): SchemaObject | undefined {
  const fields = Object.entries(properties).map(([key, field]) => [key, formField(field)] as const);
  const knownFields = fields.flatMap(([key, field]) =>
    field === undefined ? [] : [[key, field] as const],
  );
  if (knownFields.length < fields.length || fields.length === 0) return undefined;
  return { type: 'object', properties: objectOf(knownFields), ...defined({ required }) };
}

/** The keywords that the protocol has for a field of each type. */
const keywordsOfType = {
  string: ['minLength', 'maxLength', 'format', 'enum'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  boolean: [],
} as const;

/** The formats of the protocol. */
const knownFormats: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time']);

function formField(field: unknown): SchemaObject | undefined {
  if (!isSchemaObject(field)) return undefined;
  const values: readonly unknown[] | undefined = field.enum;
  const isTextEnum = values?.every((value) => typeof value === 'string') === true;
  const { type = isTextEnum ? 'string' : undefined } = field;
  if (type !== 'string' && type !== 'number' && type !== 'integer' && type !== 'boolean')
    return undefined;
  if (values !== undefined && !isTextEnum) return undefined;
  const fieldMembers = ['title', 'description', 'default', ...keywordsOfType[type]].flatMap(
    (keyword) => {
      const value = memberOf(field, keyword);
      const isAllowed = value !== undefined && (keyword !== 'format' || knownFormats.has(value));
      return isAllowed ? [[keyword, value] as const] : [];
    },
  );
  return { type, ...Object.fromEntries(fieldMembers) };
}
