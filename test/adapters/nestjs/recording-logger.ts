// Keeps the lines of Nest’s log.
import type { LoggerService } from '@nestjs/common';

export class RecordingLogger implements LoggerService {
  readonly lines: string[] = [];

  log(message: unknown, ...rest: readonly unknown[]): void {
    this.#keep('log', message, rest);
  }

  error(message: unknown, ...rest: readonly unknown[]): void {
    this.#keep('error', message, rest);
  }

  warn(message: unknown, ...rest: readonly unknown[]): void {
    this.#keep('warn', message, rest);
  }

  debug(message: unknown, ...rest: readonly unknown[]): void {
    this.#keep('debug', message, rest);
  }

  /** The lines of one context, which Nest passes last. */
  of(context: string): readonly string[] {
    return this.lines.flatMap((line) =>
      line.startsWith(`[${context}] `) ? [line.slice(context.length + 3)] : [],
    );
  }

  #keep(level: string, message: unknown, rest: readonly unknown[]): void {
    this.lines.push(`[${String(rest.at(-1))}] ${level} ${String(message)}`);
  }
}
