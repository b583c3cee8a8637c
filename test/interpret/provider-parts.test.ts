import { isContainer } from '../../src/collections/objects.ts';
import { objectsIn, textIn, withUniqueIds } from '../../src/adapters/tool-turn.ts';
import { wordsOf } from '../words.ts';

describe('ids', () => {
  const callOf = (id: string) => ({ id, name: 'run', arguments: '{}' });
  const idsOf = (...ids: readonly string[]): readonly string[] =>
    withUniqueIds(ids.map(callOf)).map(({ id }) => id);

  test('that differ stay, and so do their calls', () => {
    const calls = ['a', 'b'].map(callOf);
    const [first, second] = withUniqueIds(calls);
    expect([first === calls[0], second === calls[1]]).toEqual([true, true]);
  });

  const long = 'x'.repeat(64);
  test.each([
    ['a a a b', 'a a_2 a_3 b'],
    ['a a_2 a a', 'a a_2 a_3 a_4'],
    [`${long} ${long}`, `${long} ${'x'.repeat(60)}_2`],
  ])('that repeat get a free number and stay short: %s', (sent, expected) => {
    expect(idsOf(...wordsOf(sent))).toEqual(wordsOf(expected));
  });

  test('that are missing are made', () => {
    const made = idsOf('', '');
    expect(made).toEqual([
      expect.stringMatching(/^[a-z\d]{9}$/),
      expect.stringMatching(/^[a-z\d]{9}$/),
    ]);
    expect(new Set(made).size).toBe(2);
  });
});

describe('what a server sent instead of', () => {
  test('an array of objects', () => {
    const [one, two] = [{ a: 1 }, { a: 2 }];
    expect(objectsIn([one, null, undefined, two])).toEqual([one, two]);
    expect(objectsIn(JSON.parse('[{"a":1},5,"x",null,true]'))).toEqual([one]);
    for (const list of [
      null,
      undefined,
      JSON.parse('{"length":1}'),
      JSON.parse('"ab"'),
      JSON.parse('5'),
    ])
      expect(objectsIn(list)).toEqual([]);
  });

  test('a string', () => {
    expect(['a', '', 5, 0].map(textIn)).toEqual(['a', '', '5', '0']);
    expect([null, undefined, true, ['x'], {}].map(textIn)).toEqual(['', '', '', '', '']);
  });

  test('an object', () => {
    expect([{}, [], null, undefined, 5, 'x', true].filter(isContainer)).toEqual([{}, []]);
  });
});
