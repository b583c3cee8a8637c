// Reads ids, lists and texts that servers should have sent, and refuses calls in a provider's nested shape.
import { isObject, objectsIn, textIn, withUniqueIds } from '../../src/adapters/tool-turn.ts';
import { notFlatCall, requireFlatDelta } from '../../src/interpret/tool-call.ts';

describe('ids', () => {
  const idsOf = (...ids: readonly string[]): readonly string[] =>
    withUniqueIds(ids.map((id) => ({ id, name: 'run', arguments: '{}' }))).map(({ id }) => id);

  test('of their own stay what they are, and so do their calls', () => {
    const calls = [
      { id: 'a', name: 'run', arguments: '{}' },
      { id: 'b', name: 'run', arguments: '{}' },
    ];
    const own = withUniqueIds(calls);
    expect(own[0]).toBe(calls[0]);
    expect(own[1]).toBe(calls[1]);
  });

  test('that came before get a number that is free', () => {
    expect(idsOf('a', 'a', 'a', 'b')).toEqual(['a', 'a_2', 'a_3', 'b']);
    expect(idsOf('a', 'a_2', 'a', 'a')).toEqual(['a', 'a_2', 'a_3', 'a_4']);
    expect(withUniqueIds([1, 2].map(() => ({ id: 'a', name: 'run', arguments: 5 })))[1]).toEqual({
      id: 'a_2',
      name: 'run',
      arguments: 5,
    });
  });

  test('that are long are cut, so that they stay ids', () => {
    const long = 'x'.repeat(64);
    expect(idsOf(long, long)).toEqual([long, `${'x'.repeat(60)}_2`]);
  });

  test('that are missing are made, each another one', () => {
    const [first, second] = idsOf('', '');
    expect(first).toMatch(/^[a-z\d]{9}$/);
    expect(second).toMatch(/^[a-z\d]{9}$/);
    expect(first).not.toBe(second);
  });
});

describe('what a server really sent', () => {
  test('where a list of objects was promised', () => {
    const [one, two] = [{ a: 1 }, { a: 2 }];
    expect(objectsIn([one, null, undefined, two])).toEqual([one, two]);
    expect(objectsIn(JSON.parse('[{"a":1},5,"x",null,true]'))).toEqual([one]);
    for (const list of [null, undefined, JSON.parse('{"length":1}'), JSON.parse('"ab"'), JSON.parse('5')]) {
      expect(objectsIn(list)).toEqual([]);
    }
  });

  test('where a text was', () => {
    expect(['a', '', 5, 0, null, undefined, true, ['x'], {}].map(textIn)).toEqual([
      'a',
      '',
      '5',
      '0',
      '',
      '',
      '',
      '',
      '',
    ]);
  });

  test('where an object was', () => {
    expect([{}, [], null, undefined, 5, 'x', true].map(isObject)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('calls', () => {
  const said = (work: () => void): string | undefined => {
    try {
      work();
      return undefined;
    } catch (error) {
      return String(error).replace(/^\w+: /, '');
    }
  };

  test.each<[unknown, string]>([
    [null, 'x was given no call: pass { id, name, arguments }.'],
    ['run', 'x was given no call: pass { id, name, arguments }.'],
    [{ name: 5 }, 'x was given a call whose name is not a string: pass { id, name, arguments }.'],
    [
      { name: null, arguments: null, list: [1] },
      'x was given a call whose name is not a string: pass { id, name, arguments }.',
    ],
    [
      { id: '1', function: { name: 'run', arguments: '{}' } },
      'x was given a call that has its name and arguments inside "function": pass { id: call.id, ...call.function }.',
    ],
    [
      { toolUse: { name: 'run', input: {} } },
      'x was given a call that has its name and arguments inside "toolUse": pass { id, name, arguments }, read from call.toolUse.',
    ],
  ])('%j', (call, expected) => {
    expect(notFlatCall(call, 'x').message).toBe(expected);
  });

  test.each<[unknown, string | undefined]>([
    [{ index: 0, id: '1', name: 'run' }, undefined],
    [{ index: 0, arguments: '{', extra: { a: 1 } }, undefined],
    [{ index: 0, name: 'run', extra: { a: 1 } }, undefined],
    [{ index: 0 }, undefined],
    [{ index: 0, name: null, list: [1] }, undefined],
    [null, 'x was given no part of a call: pass { index, id, name, arguments }.'],
    [5, 'x was given no part of a call: pass { index, id, name, arguments }.'],
    [undefined, 'x was given no part of a call: pass { index, id, name, arguments }.'],
    [
      { index: 0, name: null, function: { name: 'run' } },
      'x was given a part that has its name and arguments inside "function": pass { index: part.index, id: part.id, ...part.function }.',
    ],
    [
      { index: 0, delta: { name: 'run' } },
      'x was given a part that has its name and arguments inside "delta": pass { index, id, name, arguments }, read from part.delta.',
    ],
  ])('a part %j', (part, expected) => {
    expect(said(() => requireFlatDelta(part, 'x'))).toBe(expected);
  });
});
