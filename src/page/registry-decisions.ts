// Decisions about the calls of a journal, made by the registry that runs them.
import { defined, objectOf, ownValue } from '../collections/objects.ts';
import { ToolmendError } from '../errors/errors.ts';
import { fromRecord } from '../interpret/records.ts';
import { plainJson } from '../json/parse.ts';
import { printable } from '../json/preview.ts';
import { pointerKeys } from '../json/pointers.ts';
import { type JsonObject, isJsonObject, sameValue } from '../json/value.ts';
import type { Issue } from '../messages/issue.ts';
import { issueText } from '../messages/rejection-message.ts';
import type { PendingApproval } from '../outcomes/approval.ts';
import type { ToolOutcome } from '../outcomes/tool-outcome.ts';
import type { ToolRegistry } from '../registry/tool-registry.ts';
import type { PendingQuestion } from '../outcomes/question.ts';
import { interpret } from '../interpret/interpret-arguments.ts';
import { answerContract } from '../run/questions.ts';
import { interpretEdit } from '../run/interceptor.ts';
import type { CallStore, JournalEntry } from '../store/call-store.ts';
import { withoutSecrets } from '../telemetry/redact-arguments.ts';
import { canonicalKey } from '../tool/meta-arguments.ts';
import type { ApplicationContext, Effects } from '../tool/tool-contract.ts';
import { effectsOf } from '../wire/tool-effects.ts';
import type {
  ArgumentEdit,
  DecisionCase,
  DecisionEnd,
  DecisionResult,
  Decisions,
  EditJudgement,
  OpenDecision,
  PageDecision,
} from './decision-data.ts';

export interface DecisionsOptions {
  readonly journal: CallStore;
  /** Without them, calls are shown, and nothing can be decided. */
  readonly tools?: ToolRegistry | undefined;
  /** Only calls of this tenant are seen. Absent: those of all. */
  readonly tenant?: string | undefined;
  /** Who decides, for the journal. */
  readonly by?: string | undefined;
  /** The application's values for a call that runs. */
  readonly context?: ((entry: JournalEntry) => ApplicationContext) | undefined;
  /** Milliseconds that an answer waits for the tool. Default: 2,000. */
  readonly toolWaitMs?: number;
}

const mostListed = 500;
const usualToolWaitMs = 2_000;

/** Keeps nothing between requests: an application may make one for each person. */
export class RegistryDecisions implements Decisions {
  readonly #options: DecisionsOptions;

  constructor(options: DecisionsOptions) {
    this.#options = options;
  }

  async list(): Promise<readonly OpenDecision[]> {
    const { journal, tenant } = this.#options;
    const query = { ...defined({ tenant }), limit: mostListed };
    const [waiting, doubtful] = await Promise.all([
      journal.list({ ...query, state: 'waiting' }),
      journal.list({ ...query, state: 'in_doubt' }),
    ]);
    const definitions = new Map<string, Promise<JsonObject | undefined>>();
    const open = await Promise.all(
      [...waiting, ...doubtful].map(async (entry) =>
        openDecision(entry, await this.#effects(entry, definitions)),
      ),
    );
    return open.toSorted(mostUrgentFirst);
  }

  async #effects(
    { tool, contract }: JournalEntry,
    definitions: Map<string, Promise<JsonObject | undefined>>,
  ): Promise<Effects | undefined> {
    const { tools, journal } = this.#options;
    const registeredContract = tools?.contracts().find(({ name }) => name === tool);
    if (registeredContract !== undefined || contract === undefined)
      return registeredContract?.effects;
    const storedDefinition = definitions.get(contract) ?? journal.definition(contract);
    definitions.set(contract, storedDefinition);
    const definition = await storedDefinition;
    return definition && effectsOf(definition);
  }

  async find(id: string): Promise<DecisionCase | undefined> {
    const entry = await this.#entry(id);
    if (entry === undefined) return undefined;
    const { journal, tools } = this.#options;
    const { approval, question, tenant, run, conversation, attempts, updatedAt, idempotencyKey } =
      entry;
    const definition =
      entry.contract === undefined ? undefined : await journal.definition(entry.contract);
    const registeredContract = tools?.contracts().find(({ name }) => name === entry.tool);
    const schema =
      registeredContract?.inputSchema ?? (definition && ownValue(definition, 'inputSchema'));
    const effects = registeredContract?.effects ?? (definition && effectsOf(definition));
    const record = (approval ?? question)?.call ?? entry.call;
    const rationale = record && ownValue(record.meta, 'rationale');
    const shownRecord = record && shownArguments(record.arguments);
    const isOpen = entry.state === 'waiting' || entry.state === 'in_doubt';
    return {
      ...openDecision(entry, effects),
      withheld: shownRecord?.withheld ?? [],
      metaKeys: Object.keys(record?.meta ?? {}).map(canonicalKey),
      attempts,
      changedAt: updatedAt,
      ...defined({
        tenant: tenant === '' ? undefined : tenant,
        run,
        conversation,
        idempotencyKey,
        approval: approval?.id,
        question: question && { id: question.id, text: question.question, schema: question.schema },
        rationale: typeof rationale === 'string' ? shownRationale(rationale) : undefined,
        arguments: shownRecord?.text,
        schema: typeof schema === 'object' && schema !== null ? schema : undefined,
        end: isOpen ? undefined : endOf(entry),
        obstacle: this.#obstacle(entry),
      }),
    };
  }

  #obstacle({
    tool,
    state,
    approval,
    question,
    hasSecrets,
  }: JournalEntry): DecisionCase['obstacle'] {
    const { tools } = this.#options;
    if (tools === undefined) return 'no_tools';
    if (!tools.names().includes(tool)) return 'no_tool';
    const isWhole = state === 'waiting' ? (approval ?? question) !== undefined : !hasSecrets;
    return isWhole ? undefined : 'secrets';
  }

  async #entry(id: string): Promise<JournalEntry | undefined> {
    const { journal, tenant } = this.#options;
    const entry = await journal.entry(id);
    return tenant === undefined || entry?.tenant === tenant ? entry : undefined;
  }

  async judge(id: string, edit: ArgumentEdit): Promise<EditJudgement | undefined> {
    const { tools } = this.#options;
    const { approval, question } = (await this.#entry(id)) ?? {};
    if (tools === undefined) return undefined;
    if (question !== undefined) return judgedAnswer(tools, question, edit);
    return approval && judgedEdit(tools, approval, edit);
  }

  async decide(id: string, decision: PageDecision): Promise<DecisionResult | undefined> {
    const entry = await this.#entry(id);
    if (entry === undefined) return undefined;
    const { tools } = this.#options;
    if (tools === undefined)
      return impossible('This page has no tools. Decide in the application that has them.');
    try {
      return await this.#made(tools, entry, decision);
    } catch (error) {
      if (!ToolmendError.isInstance(error)) throw error;
      return impossible(error.message);
    }
  }

  async #made(
    tools: ToolRegistry,
    entry: JournalEntry,
    decision: PageDecision,
  ): Promise<DecisionResult> {
    const { state } = entry;
    const isOver: DecisionResult = { kind: 'late', end: endOf(entry) };
    switch (decision.decision) {
      case 'approve':
      case 'deny':
        return state === 'waiting' ? this.#resolve(tools, entry, decision) : isOver;
      case 'answer':
      case 'decline':
        return state === 'waiting' ? this.#answer(tools, entry, decision) : isOver;
      default:
        return state === 'in_doubt' ? this.#settle(tools, entry, decision) : isOver;
    }
  }

  async #resolve(
    tools: ToolRegistry,
    entry: JournalEntry,
    decision: Extract<PageDecision, { decision: 'approve' | 'deny' }>,
  ): Promise<DecisionResult> {
    const { approval } = entry;
    if (approval === undefined)
      return impossible(
        'The journal does not have the secrets of this call: decide where the whole approval is.',
      );
    const by = defined({ by: this.#options.by });
    if (decision.decision === 'deny') {
      const { message } = decision;
      const denial = { decision: 'deny', ...by, ...defined({ message }) } as const;
      return this.#resultOf(
        entry,
        await tools.resolveApproval(approval.id, denial, this.#call(entry)),
      );
    }
    if (decision.approval !== approval.id) return { kind: 'again', why: 'changed' };
    const judgement = decision.edit && judgedEdit(tools, approval, decision.edit);
    if (judgement?.status === 'rejected') return { kind: 'refused', judgement };
    // What runs is what the person saw, after the repairs of the edit.
    const editedValue = plainJson(judgement?.arguments ?? '');
    const approve = {
      decision: 'approve',
      ...by,
      ...(isJsonObject(editedValue) ? { arguments: editedValue } : {}),
    } as const;
    return this.#begun(entry, tools.resolveApproval(approval.id, approve, this.#call(entry)));
  }

  #settle(
    tools: ToolRegistry,
    entry: JournalEntry,
    decision: Exclude<PageDecision, WaitingDecision>,
  ): Promise<DecisionResult> {
    const { by } = this.#options;
    let isLate = false;
    const onLate = (): void => {
      isLate = true;
    };
    const options = { ...this.#call(entry), onLate };
    const outcome = tools.settle(entry.id, { ...decision, ...defined({ by }) }, options);
    return this.#begun(entry, outcome, () => isLate);
  }

  async #answer(
    tools: ToolRegistry,
    entry: JournalEntry,
    decision: Extract<PageDecision, { question: string }>,
  ): Promise<DecisionResult> {
    const { question } = entry;
    if (question?.id !== decision.question) return { kind: 'again', why: 'changed' };
    const answer =
      decision.decision === 'answer'
        ? ({ action: 'accept', content: decision.content } as const)
        : ({ action: 'decline' } as const);
    const by = defined({ by: this.#options.by });
    return this.#begun(
      entry,
      tools.answerQuestion(question.id, { ...answer, ...by }, this.#call(entry)),
    );
  }

  #call(entry: JournalEntry) {
    const { context } = this.#options;
    return { tenant: entry.tenant, ...defined({ context: context?.(entry) }) };
  }

  /** A tool may take longer than a person waits. */
  async #begun(
    entry: JournalEntry,
    outcome: Promise<ToolOutcome>,
    isLate?: () => boolean,
  ): Promise<DecisionResult> {
    const over = Promise.withResolvers<undefined>();
    const { toolWaitMs = usualToolWaitMs } = this.#options;
    const timer = setTimeout(() => over.resolve(undefined), toolWaitMs);
    try {
      const endOutcome = await Promise.race([outcome, over.promise]);
      return endOutcome === undefined
        ? { kind: 'counts', status: 'running' }
        : await this.#resultOf(entry, endOutcome, isLate?.());
    } finally {
      clearTimeout(timer);
      // Whoever waits for the call gets it from the journal.
      outcome.catch(() => undefined);
    }
  }

  /** `isLate`: another decision was first. Default: the outcome says so. */
  async #resultOf(
    entry: JournalEntry,
    outcome: ToolOutcome,
    isLate = outcome.status === 'denied' && outcome.by === 'used',
  ): Promise<DecisionResult> {
    const entryNow = (await this.#options.journal.entry(entry.id)) ?? entry;
    const hasExpired = entry.question !== undefined && endOf(entryNow).what === 'expired';
    switch (outcome.status) {
      case 'approval_required':
        return outcome.why === 'refused'
          ? { kind: 'refused', judgement: refusedJudgement(outcome.issues) }
          : { kind: 'again', why: outcome.why === 'expired' ? 'expired' : 'changed' };
      case 'input_required':
        if (outcome.why === 'refused')
          return { kind: 'refused', judgement: refusedJudgement(outcome.issues) };
        return outcome.why === 'changed'
          ? { kind: 'again', why: 'changed' }
          : { kind: 'counts', status: outcome.status };
      case 'invalid_arguments':
      case 'unknown_tool':
        return impossible('The tool has changed, and does not take this call any more.');
      default:
        return isLate || hasExpired
          ? { kind: 'late', end: endOf(entryNow) }
          : { kind: 'counts', status: outcome.status };
    }
  }
}

/** Decisions about a call that waits. */
type WaitingDecision = Extract<
  PageDecision,
  { decision: 'approve' | 'deny' | 'answer' | 'decline' }
>;

const impossible = (text: string): DecisionResult => ({ kind: 'impossible', text });

function openDecision(entry: JournalEntry, effects: Effects | undefined): OpenDecision {
  const { id, state, tool, model, createdAt, approval, question, answers = [] } = entry;
  const record = (approval ?? question)?.call ?? entry.call;
  const isQuestion = approval === undefined && (question !== undefined || answers.length > 0);
  return {
    id,
    kind: state === 'in_doubt' ? 'doubt' : isQuestion ? 'question' : 'approval',
    tool,
    askedAt: createdAt,
    ...defined({
      model,
      effects,
      expiresAt: (approval ?? question)?.expiresAt,
      excerpt: record && excerptOf(record.arguments),
    }),
  };
}

const longestExcerpt = 100;

/** Undefined if nothing may be shown. */
function excerptOf(argumentText: string): string | undefined {
  const { text = '', withheld } = shownArguments(argumentText);
  const value = plainJson(text);
  if (!isJsonObject(value)) return undefined;
  const members = Object.entries(value).filter(([name]) => !withheld.includes(name));
  if (members.length === 0) return undefined;
  const texts = members.map(
    ([name, member]) => `${name}: ${typeof member === 'string' ? member : JSON.stringify(member)}`,
  );
  return printable(texts.join(', '), longestExcerpt);
}

/** Approvals and questions by the time that is left, then calls in doubt by their age. */
function mostUrgentFirst(one: OpenDecision, other: OpenDecision): number {
  const rank = ({ kind, expiresAt, askedAt }: OpenDecision): string =>
    kind === 'doubt' ? `1 ${askedAt}` : `0 ${expiresAt ?? askedAt}`;
  const [left, right] = [rank(one), rank(other)];
  return left < right ? -1 : left > right ? 1 : 0;
}

const answerEnds = {
  accept: 'answered',
  decline: 'declined',
  cancel: 'declined',
  expire: 'expired',
} as const;

function endOf({ decidedBy, outcome, state, answers }: JournalEntry): DecisionEnd {
  const isGivenUp = outcome?.status === 'failed' && outcome.reason === 'in_doubt';
  const answer = answers?.at(-1);
  const by = defined({ by: decidedBy });
  if (outcome?.status === 'denied') return { what: 'denied', ...by };
  if (isGivenUp && state === 'ended') return { what: 'settled', ...by };
  return { what: answer === undefined ? 'ran' : answerEnds[answer.action], ...by };
}

/** The arguments without what looks like a secret, and the names of those that held one. */
function shownArguments(text: string): {
  readonly text?: string;
  readonly withheld: readonly string[];
} {
  const value = plainJson(text);
  const shownRecord = withoutSecrets(text);
  const shownValue = typeof shownRecord === 'string' ? plainJson(shownRecord) : undefined;
  if (!isJsonObject(value) || !isJsonObject(shownValue)) return { withheld: [] };
  const withheld = Object.keys(value).filter((name) => {
    const [member, shownMember] = [ownValue(value, name), ownValue(shownValue, name)];
    return member === undefined || shownMember === undefined || !sameValue(member, shownMember);
  });
  return { text: typeof shownRecord === 'string' ? shownRecord : '{}', withheld };
}

function shownRationale(text: string): string | undefined {
  const shownRecord = withoutSecrets(JSON.stringify(text));
  return shownRecord === JSON.stringify(text) ? text : undefined;
}

/** The call with the edit in its arguments, as the tool would get it. */
function judgedEdit(
  tools: ToolRegistry,
  { call }: PendingApproval,
  { values, removed: removedKeys }: ArgumentEdit,
): EditJudgement {
  const before = plainJson(call.arguments);
  const members = Object.entries(isJsonObject(before) ? before : {}).filter(
    ([name]) => !removedKeys.includes(name),
  );
  const editedValue = objectOf([...members, ...Object.entries(values)]);
  const interpretedCall = tools.interpret(fromRecord(call));
  if (interpretedCall.status !== 'accepted')
    return {
      status: 'rejected',
      issues: [{ name: '', text: 'the tool has changed' }],
      repairs: [],
    };
  const { interpretation: result } = interpretEdit(interpretedCall, editedValue);
  if (result.status === 'rejected') return refusedJudgement(result.issues);
  const repairs = result.repairs.slice(interpretedCall.interpretation.repairs.length);
  return {
    status: repairs.length === 0 ? 'valid' : 'repaired',
    issues: [],
    repairs,
    arguments: JSON.stringify(result.value),
  };
}

/** The answer as the tool would get it. */
function judgedAnswer(
  tools: ToolRegistry,
  { schema, call }: PendingQuestion,
  { values }: ArgumentEdit,
): EditJudgement | undefined {
  const contract = tools.contracts().find(({ name }) => name === call.tool);
  if (contract === undefined) return undefined;
  const result = interpret(answerContract(contract, schema), { arguments: values });
  if (result.status === 'rejected') return refusedJudgement(result.issues);
  const { repairs } = result;
  return {
    status: repairs.length === 0 ? 'valid' : 'repaired',
    issues: [],
    repairs,
    arguments: JSON.stringify(result.value),
  };
}

const refusedJudgement = (issues: readonly Issue[]): EditJudgement => ({
  status: 'rejected',
  repairs: [],
  issues: issues.map((issue) => ({
    name: pointerKeys(issue.path)[0] ?? issue.key ?? '',
    text: issueText(issue),
  })),
});
