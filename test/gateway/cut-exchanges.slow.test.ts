// Exchanges whose bytes come in two chunks, cut everywhere.
import { casesOf, streamedApis } from './exchanges.ts';
import { isObjectText, passed } from './passed-answer.ts';

test.each(streamedApis.map((api) => [api.name, api] as const))('%s', (_name, api) => {
  const short = casesOf('systems.jsonl').filter(
    ({ text }) => isObjectText(text) && text.length < 90,
  );
  const exchanges = short.filter(({ text }) => text.length > 40).slice(0, 5);

  const differing = exchanges.filter((recorded) => {
    const bytes = Buffer.from(api.answer(recorded));
    const whole = passed(api, recorded, [bytes]);
    return Array.from(bytes, (_byte, at) => at).some(
      (at) => passed(api, recorded, [bytes.subarray(0, at), bytes.subarray(at)]) !== whole,
    );
  });

  expect(exchanges).toHaveLength(5);
  expect(differing).toEqual([]);
});
