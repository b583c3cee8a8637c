import { type OptionKinds, callback, checkOptions } from '../options/check-options.ts';
import { defined } from '../collections/objects.ts';
import { quote } from '../json/preview.ts';
import type { ToolListener } from './tool-event.ts';

/** The options of `logRepairs`. */
export interface LogRepairsOptions {
  /** Takes a line, without a line break at its end. Default: `console.info`. */
  readonly write?: (line: string) => unknown;
}

const optionKinds: OptionKinds<LogRepairsOptions> = {
  write: callback('write a function that takes a line, (line) => log.info(line)'),
};

/**
 * A listener that writes a line of the log for each repair: the tool, the place, the rule, and whose
 * call it was. A line has no value of an argument.
 */
export function logRepairs(options: LogRepairsOptions = {}): ToolListener {
  checkOptions('logRepairs', options, optionKinds);
  // oxlint-disable-next-line no-console -- the log of the program, unless it names another
  const { write = (line: string): void => console.info(line) } = options;
  return {
    onEvent(event) {
      if (event.type !== 'tool_input_repaired') return;
      const { tool, callId: call, model, tenant, conversation, run, repairs } = event;
      const whose = Object.entries(defined({ model, tenant, conversation, run, call }))
        .map(([name, text]) => `${name} ${quote(text)}`)
        .join(', ');
      for (const { rule, path } of repairs)
        write(
          `toolmend: ${tool}${path === '' ? '' : ` at ${quote(path)}`} repaired by ${rule} (${whose})`,
        );
    },
  };
}
