import { type RecordedCase, recordedCases } from '../cases/run-case.ts';
import { read, valueOf } from '../read.ts';

const sentOf = ({ input, inputText }: RecordedCase): string => inputText ?? JSON.stringify(input);

/**
 * Every thirtieth call that is accepted as a whole: of every file, text and value, valid and
 * repaired.
 */
const someCalls = recordedCases('systems', 'reported', 'mutants')
  .filter((recorded) => recorded.expect.outcome !== 'rejected' && sentOf(recorded).length < 2000)
  .filter((_recorded, index) => index % 30 === 0)
  .slice(0, 50);

describe('text that was cut off', () => {
  const interpretCut = (
    { schema, options = {}, tool }: RecordedCase,
    sent: string,
    reason?: string,
  ) =>
    read(schema, sent, {
      ...(options.meta === undefined ? {} : { meta: options.meta }),
      ...(tool === null ? {} : { tool }),
      ...(reason === undefined ? {} : { finishReason: reason }),
    });

  test('fifty real calls', () => {
    expect(someCalls).toHaveLength(50);
    expect(someCalls.filter(({ inputText }) => inputText !== undefined).length).toBeGreaterThan(5);
  });

  test.each(someCalls.map((recorded) => [recorded.id, recorded] as const))(
    '%s, cut at every character: refused, or the whole value',
    (_id, recorded) => {
      const sent = sentOf(recorded);
      const full = interpretCut(recorded, sent, recorded.options?.finishReason);
      expect(full.status).not.toBe('rejected');
      for (let end = 1; end < sent.length; end += 1) {
        for (const reason of [undefined, 'length', 'max_tokens']) {
          const result = interpretCut(recorded, sent.slice(0, end), reason);
          if (result.status === 'rejected') {
            expect(result.issues).toHaveLength(1);
            expect(result.message.length).toBeLessThanOrEqual(2000);
          } else {
            expect(result.value).toEqual(valueOf(full));
            expect(result.meta).toEqual(full.meta);
          }
        }
      }
    },
  );
});
