// What was told while a test ran?
import type { ToolError, ToolEvent, ToolListener } from 'toolmend';

export class RecordingListener implements ToolListener {
  readonly events: ToolEvent[] = [];
  readonly errors: ToolError[] = [];

  onEvent(event: ToolEvent): void {
    this.events.push(event);
  }

  onError(error: ToolError): void {
    this.errors.push(error);
  }
}
