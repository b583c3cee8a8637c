// What does a model read of an exception that nobody meant it to see? That there was one, and an id to look it up by.
import type { Issue } from './issue.ts';

/** The keyword of a check that threw, or that answered with a promise. */
export const brokenCheckKeyword = 'broken_check';

/** Whether nothing but the developer's own code stands between the arguments and the tool. */
export const isInternalError = (issues: readonly Issue[]): boolean =>
  issues.length > 0 && issues.every(({ keyword }) => keyword === brokenCheckKeyword);

/** For a tool that was not executed; without an id where nothing is logged. */
export const internalErrorMessage = (tool: string, errorId?: string): string =>
  `${tool} was not executed because of an internal error${errorId === undefined ? '' : ` (error ${errorId})`}.`;
