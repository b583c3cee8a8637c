import { closedOf, text, whole } from '../schemas.ts';
import { readValue } from '../read.ts';

test('letters that change their case by language fold in one way only', () => {
  const schema = closedOf({ filterId: text, maxSize: whole });
  expect(readValue(schema, { FILTER_ID: 'a' })).toMatchObject({ value: { filterId: 'a' } });
  for (const key of ['f\u0131lterId', 'F\u0130LTER_ID'])
    expect(readValue(schema, { [key]: 'a' })).toMatchObject({ status: 'rejected' });
  const mode = closedOf({ mode: { enum: ['fixed', 'ILI'] } });
  expect(readValue(mode, { mode: 'FIXED' })).toMatchObject({ value: { mode: 'fixed' } });
  expect(readValue(mode, { mode: 'ili' })).toMatchObject({ value: { mode: 'ILI' } });
  for (const spelled of ['F\u0130XED', 'f\u0131xed', '\u0131l\u0131'])
    expect(readValue(mode, { mode: spelled })).toMatchObject({ status: 'rejected' });
});
