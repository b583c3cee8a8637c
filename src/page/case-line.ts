import { defined } from '../collections/objects.ts';
import type { Effects } from '../tool/tool-contract.ts';
import type { CallDetail, CallStatus } from './page-data.ts';

/** A call with what became of it. */
export interface JudgedCase extends Pick<CallDetail, 'sent' | 'used' | 'schema'> {
  readonly id: string;
  readonly tool: string;
  readonly model?: string | undefined;
  readonly effects?: Effects | undefined;
  readonly finishReason?: string | undefined;
  readonly status: Exclude<CallStatus, 'failed'>;
}

/**
 * A line for `toolmend cases`: what became of the call is what is expected. Undefined without the
 * arguments and the schema. Numbers keep their digits.
 */
export function caseLine(call: JudgedCase): string | undefined {
  const {
    id,
    tool,
    model,
    effects,
    finishReason,
    schema,
    sent: sentText,
    used: usedText,
    status,
  } = call;
  if (sentText === undefined || schema === undefined) return undefined;
  const record = JSON.stringify({
    id,
    ...defined({ model }),
    tool,
    ...defined({ effects, finishReason }),
    schema,
    inputText: sentText,
  });
  const outcome = JSON.stringify(status === 'valid' ? 'unchanged' : status);
  const value = usedText === undefined ? '' : `,"value":${usedText}`;
  return `${record.slice(0, -1)},"expect":{"outcome":${outcome}${value}}}`;
}
