import type { JsonObject } from '../../src/json/value.ts';

/** What becomes of a call that the suite asks about. */
export function answerOf(question: JsonObject): JsonObject;
