// Exchanges with the calls of test/cases, in the bytes of each API, cut anywhere.
import { interpretArguments } from 'toolmend';
import { verdictOf } from '../cases/run-case.ts';
import {
  type Api,
  type GatewayCase,
  casesOf,
  streamedApis,
  textApis,
  valueApis,
} from './exchanges.ts';
import { isObjectText, passed } from './passed-answer.ts';

const cases = ['systems.jsonl', 'reported.jsonl'].flatMap(casesOf);
/**
 * The cases that an API can carry: some have arguments as values, and UTF-8 has no lone surrogates.
 */
const carriedBy = (api: Api): readonly GatewayCase[] =>
  cases.filter(
    ({ text }) => text.isWellFormed() && (!valueApis.includes(api) || isObjectText(text)),
  );

/** The answer with empty argument texts. */
const withoutTexts = (answer: string): string =>
  answer.replaceAll(/"(arguments|partial_json|delta)":( ?)"(?:[^"\\]|\\.)*"/g, '"$1":$2""');

describe.each([...textApis, ...valueApis].map((api) => [api.name, api] as const))(
  '%s',
  (_name, api) => {
    test.each([
      ['unchanged', 'the bytes are the same'],
      ['rejected', 'the bytes are the same'],
    ])('%s calls: %s', (outcome) => {
      const kept = carriedBy(api).filter((recorded) => recorded.expect.outcome === outcome);
      const changed = kept.filter((recorded) => {
        const answer = api.answer(recorded);
        return passed(api, recorded, [Buffer.from(answer)]) !== answer;
      });

      expect(kept.length).toBeGreaterThan(20);
      expect(changed.map(({ id }) => id)).toEqual([]);
    });

    test('repaired calls have the expected arguments, and all other bytes are the same', () => {
      const wrong = carriedBy(api).filter((recorded) => {
        if (recorded.expect.outcome !== 'repaired') return false;
        const answer = api.answer(recorded);
        const sent = passed(api, recorded, [Buffer.from(answer)]);
        // Messages begins a call with an empty input, which is what empty text means.
        const isCarried =
          sent === answer && (recorded.text !== '' || !api.name.startsWith('Anthropic'));
        if (isCarried)
          return interpretArguments(recorded.schema, { text: recorded.text }).status === 'repaired';
        const isSame = valueApis.includes(api)
          ? isAround(recorded.text, answer, sent)
          : withoutTexts(sent) === withoutTexts(answer);
        const value = JSON.parse(api.argumentsIn(sent));
        return !isSame || verdictOf(recorded, { ...repaired, value }) !== 'right';
      });

      expect(wrong.map(({ id }) => id)).toEqual([]);
    });
  },
);

function isAround(text: string, answer: string, sent: string): boolean {
  const [before = '', after = ''] = answer.split(text);
  return sent.startsWith(before) && sent.endsWith(after);
}

const repaired = { status: 'repaired', meta: {}, repairs: [], notes: [], issues: [] } as const;

test('20 exchanges are the same if each byte comes alone', () => {
  const picked = cases.filter(
    ({ text }) => isObjectText(text) && text.length < 90 && text.length > 40,
  );
  const exchanges = streamedApis.flatMap((api) =>
    picked.slice(0, 5).map((recorded) => ({ api, recorded })),
  );

  const differing = exchanges.filter(({ api, recorded }) => {
    const bytes = Buffer.from(api.answer(recorded));
    const single = Array.from(bytes, (byte) => Buffer.of(byte));
    return passed(api, recorded, single) !== passed(api, recorded, [bytes]);
  });

  expect(exchanges).toHaveLength(20);
  expect(differing).toEqual([]);
});
