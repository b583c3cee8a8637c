import { attempt } from '../collections/attempt.ts';
import { memberOf } from '../collections/objects.ts';
import { randomId } from '../platform/random-id.ts';

/** An id that connects a message with a log entry: short, because models repeat it. */
export const newErrorId = (): string => randomId().slice(0, 8);

const marker = Symbol.for('toolmend.error');

/**
 * Base class of the errors that toolmend throws, all for developers' mistakes. Models' mistakes are
 * never thrown.
 */
export class ToolmendError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    Object.defineProperty(this, marker, { value: true });
  }

  /** True also for errors of another installed copy of toolmend. */
  static isInstance(error: unknown): error is ToolmendError {
    return error instanceof Error && Reflect.get(error, marker) === true;
  }
}

/** Thrown for data that is not the record of a call, or is one of an unknown version. */
export class RecordError extends ToolmendError {
  /** The invalid member, for example `arguments`; '' for the record as a whole. */
  readonly member: string;

  constructor(member: string, message: string) {
    super('record', message);
    this.member = member;
  }
}

type SignalKind = 'retry' | 'failure';

const signalMarker = Symbol.for('toolmend.signal');

abstract class ToolSignal extends Error {
  protected constructor(kind: SignalKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    Object.defineProperty(this, signalMarker, { value: kind });
  }
}

/** Thrown by a tool if the model should try again. The model reads the message, never the cause. */
export class ToolRetry extends ToolSignal {
  constructor(message: string, options?: ErrorOptions) {
    super('retry', message, options);
  }
}

/** Thrown by a tool that failed. The model reads the message, never the cause. */
export class ToolFailure extends ToolSignal {
  constructor(message: string, options?: ErrorOptions) {
    super('failure', message, options);
  }
}

/**
 * What `context.ask` rejects with if its question gets no answer. `decline`: the person doesn't want
 * to answer. `cancel`: the person has closed the question. `expire`: nobody has answered in time. A
 * tool may catch it and go on without an answer; otherwise the call is `failed`.
 */
export class QuestionUnanswered extends ToolFailure {
  readonly action: 'decline' | 'cancel' | 'expire';

  constructor(action: QuestionUnanswered['action'], message: string) {
    super(message);
    this.action = action;
  }
}

/**
 * Reads a ToolRetry or ToolFailure, also of another installed copy of toolmend; undefined for
 * anything else. Never throws.
 */
export function signalTextOf(
  error: unknown,
): { readonly kind: SignalKind; readonly text: string } | undefined {
  return attempt(() => {
    const [kind, text] = [memberOf(error, signalMarker), memberOf(error, 'message')];
    return (kind === 'retry' || kind === 'failure') && typeof text === 'string'
      ? { kind, text }
      : undefined;
  });
}
