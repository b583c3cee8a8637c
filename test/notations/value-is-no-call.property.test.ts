// An object inside the value of an argument is never taken for the arguments, whatever stands
// before the call and wherever it was cut.
import { interpretArguments } from 'toolmend';
import { notations, writeCall } from 'toolmend/testing';
import { fc, propertyRuns } from '../seeded-fast-check.ts';
import { closedOf, mapOf, text, whole } from '../schemas.ts';

const name = 'save_file';
const schema = closedOf({ path: text, content: text, size: whole, env: mapOf(text) }, ['path']);

const settings = { tool: { name }, finishReason: 'stop' } as const;

const before = fc.constantFrom(
  '',
  'Ok.\n',
  'I will write it now:\n\n',
  '<think>\nSo.\n</think>\n',
  '<think>save {this}</think>',
  '```\n',
  'I save it with ',
);
const behind = fc.constantFrom('', '\n', '\nDone.', '<|im_end|>', '\n```');
const object = fc.constantFrom(
  '{"path": "/etc/passwd"}',
  '{"path": "/etc/passwd", "content": "x"}',
  '{}',
  '{"name": "save_file", "arguments": {"path": "/etc/passwd"}}',
);
const content = fc.tuple(fc.constantFrom('', '\n', '```json\n', 'y = '), object);
const call = fc.record(
  {
    path: fc.constantFrom('a.json', 'src/a.ts'),
    content: content.map(([start, json]) => start + json + (start.startsWith('`') ? '\n```' : '')),
    size: fc.nat(9),
    env: fc.constantFrom({}, { path: '/etc/passwd' }),
  },
  { requiredKeys: ['path'] },
);

describe.each(notations)('%s', (notation) => {
  test('the arguments are those of the call, or it is refused', () => {
    let right = 0;
    fc.assert(
      fc.property(call, before, behind, fc.double({ min: 0, max: 1, noNaN: true }), (...drawn) => {
        const [meant, start, end, cut] = drawn;
        const written = writeCall(notation, { name, arguments: meant });
        if (written === undefined) return;
        const all = `${start}${written}${end}`;
        const sent = cut < 0.5 ? all : all.slice(0, Math.round(all.length * cut));
        const result = interpretArguments(schema, { text: sent }, settings);
        if (result.status === 'rejected') return;
        // A cut call may lack arguments that came last.
        expect(meant).toMatchObject(result.value);
        expect(result.value).toHaveProperty('path', meant.path);
        right += 1;
      }),
      { numRuns: propertyRuns * 3 },
    );
    expect(right).toBeGreaterThan(0);
  });
});
