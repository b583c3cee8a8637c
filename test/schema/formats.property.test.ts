import { fullFormats } from 'ajv-formats/dist/formats.js';
import { formats, hasFormat } from '../../src/schema/formats.ts';
import { fc } from '../seeded-fast-check.ts';
import { wordsOf } from '../words.ts';

/** What ajv-formats says. */
function accepts(name: string, value: string | number): boolean {
  const format: unknown = Reflect.get(fullFormats, name);
  const { type = 'string', validate = format }: { type?: unknown; validate?: unknown } =
    Object(format);
  if (typeof value !== type) return true;
  if (validate instanceof RegExp) return validate.test(String(value));
  return typeof validate !== 'function' || Boolean(Reflect.apply(validate, undefined, [value]));
}

const samples: readonly string[] = [
  ...wordsOf(String.raw`
  2024-02-29 2023-02-29 1900-02-29 2000-02-29 2026-13-01 2026-04-31 2026-00-10 2026-1-1 12:30:00Z
  12:30:00 23:59:60Z 22:59:60-01:00 00:29:60+00:30 24:00:00Z 12:60:00Z 12:30:00.5+0230
  12:30:00+24:00 2026-01-02T03:04:05Z 2026-01-02t03:04:05+01:00 P1Y2M3DT4H5M6S P1W P PT P1DT PT1S
  p1d https://a@b.c:80/d/e?f=g#h http://[::1]/ http://[1:2:3:4:5:6:7:8] http://[1::2:3.4.5.6]:1/x
  http://[v1.a]/ mailto:a@b a //a /a/b ?a #a http://1.2.3.4 urn:a:b a:b"c /a"b http:///a
  http://%zz http://%20 ../a http://[::ffff:1.2.3.4] http://[1:2] http://{a} {+a,b:3} {a*} {} {a
  a^b http://example.com http://10.0.0.1 http://172.16.0.1/ http://223.255.255.254
  ftp://user:pw@example.com:8080/a http://-a.com http://a.b- a@b.c a.b@c.d a..b@c.d .a@b.c a@b
  a@b.c. a@-b.c A+b@C-d.e example.com -a.b a-.b a. localhost 1.2.3.4 256.1.1.1 01.2.3.4 1.2.3 ::
  ::1 1:: 1:2:3:4:5:6:7:8 1:2:3:4:5:6:7:: 1:2:3:4:5:6:1.2.3.4 ::1.2.3.4 1::3:4:5:6:7:8
  1:2:3:4:5:6:7 ::: 1::2::3 g:: 1:2:3:4:5:6:7:8:9 ::ffff:1.2.3 1:2:3:4:5::1.2.3.4 ^a$ ( [ a\Z \Z
  2026-01-02T03:04:05.123Z 2026-01-02T03:04:05.Z 2026-02-30T03:04:05Z 2026-02-28T23:59:59.9Z
  2026-13-02T03:04:05Z 2026-01-02T24:00:00Z 2026-01-02T03:60:05Z 2026-01-02T03:04:60Z
  2026-00-02T03:04:05Z /026-01-02T03:04:05Z 2026-01-02T03:04:05.1aZ 2026-01-02T03:04:05ZZ
  123e4567-e89b-12d3-a456-426614174000 urn:uuid:123e4567-e89b-12d3-a456-426614174000
  123e4567e89b12d3a456426614174000 /a~0/b~1 a /~ #/a #/%41~1 #a 0 1/a 01 1# 0#/a YQ== YWI= YWJj
  YQ= Y !!!!
`),
  '2026-01-02 03:04:05',
  '2026-01-02T03:04:05Z 1',
  'http://a b',
  'http://exämple.com/ä',
  `${'a'.repeat(64)}.b`,
  `${'a.'.repeat(127)}a`,
  '',
  'YQ==\n',
  'YWJj\nYQ==',
];

const changed = fc
  .tuple(
    fc.constantFrom(...samples),
    fc.array(
      fc.record({
        at: fc.nat(60),
        cut: fc.nat(2),
        add: fc.string({
          unit: fc.constantFrom(...':./-@#?%[]0129afzTZPY~"\\ +=\n'.split('')),
          maxLength: 2,
        }),
      }),
      { maxLength: 3 },
    ),
  )
  .map(([text, edits]) =>
    edits.reduce((now, { at, cut, add }) => now.slice(0, at) + add + now.slice(at + cut), text),
  );

test('the known formats are those of ajv-formats that check anything', () => {
  const checking = Object.keys(fullFormats).filter(
    (name) => !['password', 'binary', 'float', 'double'].includes(name),
  );
  expect([...formats.keys()].toSorted()).toEqual(checking.toSorted());
});

test.each([...formats])('%s accepts what ajv-formats accepts', (name, format) => {
  const differing = samples.filter((text) => hasFormat(format, text) !== accepts(name, text));
  expect(differing).toEqual([]);
  fc.assert(
    fc.property(changed, (text) => {
      expect([text, hasFormat(format, text)]).toEqual([text, accepts(name, text)]);
    }),
  );
  for (const value of [0, 1.5, -(2 ** 31), -(2 ** 31) - 1, 2 ** 31 - 1, 2 ** 31, 2 ** 53])
    expect([value, hasFormat(format, value)]).toEqual([value, accepts(name, value)]);
});
