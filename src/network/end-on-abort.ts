import type { ClientRequest } from 'node:http';

/**
 * Ends a request when the signal says so. Node's own option `signal` destroys the socket with an
 * error that nobody handles, if the answer is complete but its end was not read yet.
 */
export function endOnAbort(request: ClientRequest, signal: AbortSignal): void {
  const end = (): void => void request.destroy();
  if (signal.aborted) return end();
  signal.addEventListener('abort', end, { once: true });
  request.once('close', () => signal.removeEventListener('abort', end));
}
