// How does a client that asked for it hear of what a tool reports? As `notifications/progress`, whose number always grows.
import type { ProgressToken, ServerContext } from '@modelcontextprotocol/server';
import { isJsonObject } from '../../json/json-value.ts';
import { ownValue } from '../../json/own-key.ts';
import { writeJson } from '../../json/write-json.ts';

/**
 * A number is the progress, text is its message, and an object may say `progress`, `total` and `message`. Anything else is
 * the message as JSON. Where no number is given, or one that doesn't grow, the last one plus 1 stands.
 */
export function progressReport(
  progressToken: ProgressToken,
  notify: ServerContext['mcpReq']['notify'],
): (update: unknown) => void {
  let last = 0;
  return (update) => {
    const { progress, ...said } = readUpdate(update);
    last = progress !== undefined && progress > last ? progress : last + 1;
    const params = { progressToken, progress: last, ...said };
    // Whoever asked may be gone.
    void notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

interface ProgressUpdate {
  readonly progress?: number;
  readonly total?: number;
  readonly message?: string;
}

function readUpdate(update: unknown): ProgressUpdate {
  if (typeof update === 'number' && Number.isFinite(update)) return { progress: update };
  if (update === undefined) return {};
  if (typeof update === 'string') return { message: update };
  const { text, value } = writeJson(update);
  if (!isJsonObject(value)) return { message: text };
  const [progress, total, message] = ['progress', 'total', 'message'].map((key) => ownValue(value, key));
  if (typeof progress !== 'number' && typeof message !== 'string') return { message: text };
  return {
    ...(typeof progress === 'number' ? { progress } : {}),
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}
