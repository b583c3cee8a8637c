// What does the application's log say of its tools? Names, ids and exceptions; never a value of an argument or a result.
import { Logger } from '@nestjs/common';
import type { SchemaWarning } from '../../telemetry/schema-warning.ts';
import type { ToolError, ToolEvent } from '../../telemetry/tool-event.ts';
import type { ToolListener } from '../../telemetry/tool-listener.ts';

/** A listener that writes to Nest's logger, whichever the application has given it. */
export class NestLog implements ToolListener {
  readonly #logger = new Logger('Toolmend');

  /** Once, when the application starts. */
  tellTools(names: readonly string[]): void {
    const tools = names.length === 1 ? '1 tool' : `${names.length} tools`;
    this.#logger.log(`${tools}: ${names.join(', ')}`);
  }

  onError({ tool, callId, errorId, error }: ToolError): void {
    const id = errorId === undefined ? '' : `, error ${errorId}`;
    this.#logger.error(
      `${tool} threw (call ${JSON.stringify(callId)}${id})`,
      error instanceof Error ? error.stack : error,
    );
  }

  onWarning({ message }: SchemaWarning): void {
    this.#logger.warn(message);
  }

  onEvent(event: ToolEvent): void {
    if (event.type === 'tool_definition_changed') {
      const { tool, blocked } = event;
      this.#logger.warn(`${tool} has another definition now${blocked ? ', and its calls are rejected' : ''}`);
      return;
    }
    this.#logger.debug(
      `${event.tool ?? 'an unknown tool'}: ${sentenceOf(event)} (call ${JSON.stringify(event.callId)})`,
    );
  }
}

function sentenceOf(event: Exclude<ToolEvent, { readonly type: 'tool_definition_changed' }>): string {
  switch (event.type) {
    case 'tool_executed':
      return `${event.outcome} after ${Math.round(event.duration)} ms`;
    case 'tool_input_repaired':
      return `repaired by ${event.repairs.map(({ rule, path }) => `${rule} ${path}`.trim()).join(', ')}`;
    case 'tool_input_invalid':
      return `rejected for ${event.issues.map(({ keyword, path }) => `${keyword} ${path}`.trim()).join(', ')}`;
    case 'tool_withheld':
      return event.reason === 'before'
        ? `${event.outcome} before it ran`
        : `${event.outcome} by ${event.reason}`;
    case 'tool_call_refused':
      return `refused as ${event.reason}`;
    case 'tool_ended_late':
      return `its code ended late, and its ${event.dropped} was dropped`;
    default:
      return 'read on in a long result';
  }
}
