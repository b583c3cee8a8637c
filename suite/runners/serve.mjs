// The runner's side of the protocol: see "Write a runner" in ../README.md.
import { createInterface } from 'node:readline';

/**
 * Answers the suite on standard input and output. `implementation`: name, version and language of
 * the library. `run` takes a question and returns `{ accept }`, `{ refuse }` or `{ skip }`; what it
 * throws is a refusal.
 */
export async function serve(implementation, run) {
  for await (const line of createInterface({ input: process.stdin })) {
    const message = JSON.parse(line);
    if (message.command === 'stop') return;
    const answer =
      message.command === 'start'
        ? { version: 1, implementation }
        : { seq: message.seq, ...answerTo(message, run) };
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}

function answerTo(question, run) {
  try {
    return run(question);
  } catch (error) {
    return { refuse: String(error).slice(0, 200) };
  }
}
