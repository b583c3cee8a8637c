// A destructive tool doesn't run with a call whose end is missing.
import { interpretArguments } from 'toolmend';
import { notations, writeCall } from 'toolmend/testing';
import { fc, propertyRuns } from '../seeded-fast-check.ts';
import { closedOf, listOf, number, text, whole } from '../schemas.ts';

const name = 'send_money';
const members = { to: text, amount: number, ids: listOf(whole), at: closedOf({ x: whole }) };
const schema = closedOf(members, ['to']);

const call = fc.record(
  {
    to: fc.constantFrom('ada', 'a b', '1'),
    ids: fc.array(fc.nat(999), { maxLength: 3 }),
    at: fc.record({ x: fc.nat(99) }, { requiredKeys: [] }),
    amount: fc.oneof(fc.nat(9999), fc.double({ min: 1, max: 99, noNaN: true })),
  },
  { requiredKeys: ['to'] },
);

const settings = { tool: { name, effects: 'destructive' }, finishReason: 'stop' } as const;

test.each(['json', ...notations])('%s that is cut anywhere', (notation) => {
  fc.assert(
    fc.property(call, fc.nat(400), (meant, place) => {
      const written =
        notation === 'json'
          ? JSON.stringify(meant)
          : writeCall(notation, { name, arguments: meant });
      if (written === undefined) return;
      const sent = written.slice(0, place % written.length);
      const result = interpretArguments(schema, { text: sent }, settings);
      // What is cut may be no more than a closing tag, or a character of it.
      if (result.status !== 'rejected') expect(result.value).toEqual(meant);
      if (/\d$/.test(sent)) expect(result.status === 'rejected' && result.wouldBe).toBe(undefined);
    }),
    { numRuns: propertyRuns * 3 },
  );
});

test('the message shows the call to confirm', () => {
  const result = interpretArguments(schema, { text: '{"to": "ada", "ids": [1, 2]' }, settings);
  expect(result).toMatchObject({ status: 'rejected', wouldBe: { to: 'ada', ids: [1, 2] } });
  expect(result.status === 'rejected' ? result.message : '').toContain(
    'If this is what you mean, send exactly: {"to":"ada","ids":[1,2]}',
  );
});

test('of a number at the very end, there is no call to confirm', () => {
  const result = interpretArguments(schema, { text: '{"to": "ada", "amount": 1' }, settings);
  expect(result).toMatchObject({ status: 'rejected', issues: [{ keyword: 'truncated' }] });
  expect(result).not.toHaveProperty('wouldBe');
  expect(result.status === 'rejected' ? result.message : '').toContain(
    'the last number may lack digits',
  );
});

test('a call that lacks its closing tag has to be confirmed', () => {
  const open = '<invoke name="send_money"><parameter name="to">ada</parameter>';
  expect(interpretArguments(schema, { text: open }, settings)).toMatchObject({
    status: 'rejected',
    issues: [{ keyword: 'not_confirmed' }],
    wouldBe: { to: 'ada' },
  });
  expect(interpretArguments(schema, { text: `${open}</invoke>` }, settings)).toMatchObject({
    status: 'repaired',
    value: { to: 'ada' },
  });
});

test('a closer that is put in before a key still acts', () => {
  const sent = '{"ids": [1, 2, "to": "ada"}';
  expect(interpretArguments(schema, { text: sent }, settings)).toMatchObject({
    status: 'repaired',
    value: { ids: [1, 2], to: 'ada' },
  });
});
