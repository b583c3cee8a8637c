// Keeps the lines of Nest’s log.
import type { LoggerService } from '@nestjs/common';

export class RecordingLogger implements LoggerService {
  readonly lines: string[] = [];
  readonly log = this.#keepAs('log');
  readonly error = this.#keepAs('error');
  readonly warn = this.#keepAs('warn');
  readonly debug = this.#keepAs('debug');

  /** The lines of one context, which Nest passes last. */
  of(context: string): readonly string[] {
    const start = `[${context}] `;
    return this.lines
      .filter((line) => line.startsWith(start))
      .map((line) => line.slice(start.length));
  }

  #keepAs(level: string) {
    return (message: unknown, ...rest: readonly unknown[]): void => {
      this.lines.push(`[${String(rest.at(-1))}] ${level} ${String(message)}`);
    };
  }
}
