// The newest calls of the gateway, for its page.
import { defined } from '../collections/objects.ts';
import { caseLine } from '../page/case-line.ts';
import { issueName, judgedCall, ruleCounts } from '../page/judged-call.ts';
import type { CallDetail, ListedCall } from '../page/page-data.ts';
import { RecentCalls } from '../page/recent-calls.ts';
import { statusOfRecord } from '../page/recorded-status.ts';
import { rulesOf, statusOf } from './answer-repair.ts';
import type { ExchangeCall, ExchangeEnd } from './exchange.ts';
import { ContractCache } from './contract-cache.ts';

/** Calls that are listed; older ones are forgotten. */
const mostListed = 20_000;
/** Calls of which the arguments are kept. */
const mostKept = 1_000;
/** Longer arguments are not kept. */
const maxKeptCharacters = 64 * 1024;
/** The most characters of a name that the model made up. */
const longestName = 128;

export class GatewayCalls {
  readonly page: RecentCalls;
  readonly #hasContents: boolean;
  readonly #kept = new Map<string, ExchangeCall>();
  readonly #contracts = new ContractCache(256);
  #count = 0;

  constructor({ hasContents }: { readonly hasContents: boolean }) {
    this.#hasContents = hasContents;
    this.page = new RecentCalls({
      source: 'toolmend gateway',
      most: mostListed,
      detail: async (call) => this.#detail(call),
    });
  }

  add({ model, calls, leftInText, isStrict, retries }: ExchangeEnd): void {
    const facts = {
      at: new Date().toISOString(),
      ...defined({ model }),
      ...(isStrict ? { isStrict } : {}),
      ...(retries > 0 ? { retries } : {}),
    };
    const listedCalls = calls.map((call) => this.#listed(call, facts));
    const left = leftInText.map(({ name }): ListedCall => ({
      ...facts,
      id: this.#nextId(),
      tool: name.slice(0, longestName),
      status: 'rejected',
      rules: [],
      issues: ['left_in_text'],
    }));
    this.page.add([...listedCalls, ...left]);
  }

  #nextId(): string {
    this.#count += 1;
    return String(this.#count);
  }

  #listed(
    recordedCall: ExchangeCall,
    facts: Pick<ListedCall, 'at' | 'model' | 'isStrict' | 'retries'>,
  ): ListedCall {
    const { call, tool, verdict } = recordedCall;
    const id = this.#nextId();
    if (this.#hasContents) this.#keep(id, recordedCall);
    const status = statusOf(recordedCall);
    const issues = verdict.kind === 'rejected' ? verdict.issues.map(issueName) : [];
    const isOwnIssue = status === 'unknown_tool' || status === 'server_error';
    return {
      ...facts,
      id,
      callId: call.id,
      tool: tool?.name ?? call.name.slice(0, longestName),
      status: statusOfRecord(status) ?? 'valid',
      rules: ruleCounts(rulesOf(recordedCall).map((rule) => ({ rule }))),
      issues: isOwnIssue ? [status] : [...new Set(issues)],
    };
  }

  #keep(id: string, recordedCall: ExchangeCall): void {
    const { arguments: sentArguments } = recordedCall.call;
    const text =
      typeof sentArguments === 'string' ? sentArguments : (JSON.stringify(sentArguments) ?? '');
    if (text.length > maxKeptCharacters) return;
    this.#kept.set(id, { ...recordedCall, call: { ...recordedCall.call, arguments: text } });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
  }

  #detail(call: ListedCall): Omit<CallDetail, 'call' | 'run'> {
    const keptCall = this.#kept.get(call.id);
    const contract = keptCall?.tool && this.#contracts.contractOf(keptCall.tool);
    const argumentsSent = keptCall?.call.arguments;
    if (keptCall === undefined || contract === undefined || typeof argumentsSent !== 'string')
      return { repairs: [], issues: [], notes: [], missing: 'contents' };
    const { finishReason } = keptCall.call;
    const { status, ...detail } = judgedCall({ contract, sent: argumentsSent, finishReason });
    const line = caseLine({
      ...detail,
      id: call.callId ?? call.id,
      tool: call.tool,
      model: call.model,
      status,
    });
    return { ...detail, ...defined({ line }) };
  }
}
