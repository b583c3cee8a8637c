import type { NumberLiterals } from '../json/number-literals.ts';
import { exactJson, parseJson } from '../json/parse.ts';
import { printable } from '../json/preview.ts';
import { objectAt, textAt } from '../json/members.ts';
import { ownValue } from '../collections/objects.ts';
import { type JsonObject, isJsonObject } from '../json/value.ts';
import { environmentOf, startServer } from '../mcp-proxy/channel.ts';

/** A program that answers the cases of the suite. */
export interface SuiteRunner {
  /** Name, version and language, as the program says them. */
  readonly implementation: string;
  /** Its answer, or why there is none, as the rest of a sentence. */
  ask(question: JsonObject, numbers: NumberLiterals): Promise<JsonObject | string>;
  close(): Promise<void>;
}

/** Milliseconds that a runner has for an answer. */
const patienceMs = 30_000;

const protocolVersion = 1;

/** Starts a program and asks who it is. `problem`: why it can't run the suite. */
export async function startRunner([command = '', ...args]: readonly string[]): Promise<
  SuiteRunner | { readonly problem: string; close(): Promise<void> }
> {
  const channel = startServer({ command, args, env: environmentOf(Object.keys(process.env)) });
  let receive: (text: string) => void = () => undefined;
  void channel.run((text) => receive(text));

  const answerTo = async (line: string): Promise<JsonObject | string> => {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    receive = resolve;
    const timer = setTimeout(() => resolve(undefined), patienceMs);
    await channel.send(line);
    const text = await Promise.race([promise, channel.exit?.then((how) => ({ how }))]);
    clearTimeout(timer);
    if (text === undefined) return `gave no answer in ${patienceMs / 1_000} s`;
    if (typeof text !== 'string') return text.how;
    const answer = parseJson(text);
    return answer.kind === 'read' && isJsonObject(answer.value)
      ? answer.value
      : `answered ${printable(text)}, which is not a JSON object`;
  };
  const close = async (): Promise<void> => {
    await Promise.race([channel.send('{"command":"stop"}'), channel.exit]);
    await channel.close();
  };

  const start = await answerTo(JSON.stringify({ command: 'start', version: protocolVersion }));
  const implementation = typeof start === 'string' ? undefined : implementationIn(start);
  if (implementation === undefined) {
    const why = typeof start === 'string' ? start : 'named no implementation, or another version';
    return { problem: `the runner ${printable(command)} ${why}`, close };
  }
  let asked = 0;
  return {
    implementation,
    close,
    async ask(question, numbers) {
      asked += 1;
      const answer = await answerTo(
        exactJson({ command: 'run', seq: asked, ...question }, numbers),
      );
      if (typeof answer === 'string') return answer;
      if (ownValue(answer, 'seq') !== asked) return `answered another question than ${asked}`;
      const kinds = ['accept', 'refuse', 'skip'].filter((kind) => Object.hasOwn(answer, kind));
      return kinds.length === 1 ? answer : 'answered without exactly one of accept, refuse, skip';
    },
  };
}

function implementationIn(answer: JsonObject): string | undefined {
  const implementation = objectAt(answer, 'implementation');
  if (ownValue(answer, 'version') !== protocolVersion || implementation === undefined)
    return undefined;
  const words = ['name', 'version', 'language'].flatMap((key) => textAt(implementation, key) ?? []);
  return words.length === 0 ? undefined : words.join(' ');
}
