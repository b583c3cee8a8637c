// node toolmend.mjs: toolmend, where it is installed or built.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { interpretArguments, readCalls } from 'toolmend/repair';
import { serve } from './serve.mjs';

/** What becomes of a call that the suite asks about. */
export function answerOf({ tool: { name, schema, effects }, sent, finishReason }) {
  const known = effects === undefined ? { name } : { name, effects };
  const options = { tool: known, finishReason, warn: () => undefined };
  if (sent.answer === undefined) {
    const input = sent.text === undefined ? { value: sent.arguments } : { text: sent.text };
    return answerOfResult(interpretArguments(schema, input, options));
  }
  const { calls } = readCalls(sent.answer, [{ ...known, inputSchema: schema }]);
  const [call] = calls;
  if (calls.length !== 1) return { refuse: `${calls.length} calls in the text` };
  return answerOfResult(interpretArguments(schema, { text: call.arguments }, options));
}

const answerOfResult = (result) =>
  result.status === 'rejected' ? { refuse: result.message } : { accept: result.value };

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const manifest = new URL('package.json', import.meta.resolve('toolmend/package.json'));
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  await serve({ name: 'toolmend', version, language: 'JavaScript' }, answerOf);
}
