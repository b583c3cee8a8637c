// Would a call that is made inside another one wait for ever? Where it waits for a call that waits for it in turn.
import type { RunningCalls } from './running-calls.ts';
import type { Ticket } from './ticket.ts';

/**
 * True if a call that `ticket` would wait for can't end before it does. A running call is taken to wait for every call that
 * is made inside it. `waiting`: the calls inside running ones that wait for locks.
 */
export function isDeadlock(ticket: Ticket, running: RunningCalls, waiting: readonly Ticket[]): boolean {
  const reached = new Set([ticket]);
  for (const waiter of reached) {
    for (const blocker of running.blockersOf(waiter)) {
      if (ticket.isInside(blocker)) return true;
      for (const inner of waiting) if (inner.isInside(blocker)) reached.add(inner);
    }
  }
  return false;
}
