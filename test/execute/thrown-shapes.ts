// What can a tool's code throw? Each shape carries the marker somewhere that a careless reader would show.

/** By name: a maker of something to throw. */
export function thrownShapes(marker: string): ReadonlyMap<string, () => unknown> {
  return new Map<string, () => unknown>([...errors(marker), ...values(marker), ...hostile(marker)]);
}

type Shapes = readonly (readonly [string, () => unknown])[];

const errors = (marker: string): Shapes => [
  ['an Error', () => new Error(marker)],
  ['an Error with a cause', () => new Error('outer', { cause: new Error(marker) })],
  ['an AggregateError', () => new AggregateError([new Error(marker)], marker)],
  ['a TypeError', () => new TypeError(marker)],
  ['a DOMException', () => new DOMException(marker, 'AbortError')],
  ['an Error with a name', () => Object.assign(new Error('x'), { name: marker })],
  ['an Error with a stack', () => Object.assign(new Error('x'), { stack: marker })],
  ['an Error with fields', () => Object.assign(new Error('x'), { sql: marker, path: `/srv/${marker}` })],
  ['an Error like axios makes', () => Object.assign(new Error(marker), axiosFields(marker))],
  ['a frozen Error', () => Object.freeze(new Error(marker))],
  ['an Error without a prototype', () => Object.setPrototypeOf(new Error(marker), null)],
];

const values = (marker: string): Shapes => [
  ['a text', () => marker],
  ['undefined', () => undefined],
  ['null', () => null],
  ['a BigInt', () => 17n],
  ['a symbol', () => Symbol(marker)],
  ['a list', () => [marker]],
  ['a Map', () => new Map([[marker, marker]])],
  ['a function', () => Object.assign(() => marker, { message: marker })],
  ['a promise', () => Promise.resolve(marker)],
  [
    'an object with our words',
    () => ({ kind: 'retry', text: marker, message: marker, 'toolmend.signal': 'retry' }),
  ],
];

const hostile = (marker: string): Shapes => [
  [
    'an object with a getter',
    () => ({
      get message() {
        return marker;
      },
    }),
  ],
  ['an Error whose message throws', () => throwingMessage(marker)],
  ['an object that becomes text', () => ({ toString: () => marker, toJSON: () => marker })],
  ['a proxy that throws', () => throwingProxy(marker)],
  ['a revoked proxy', () => revokedProxy()],
];

const axiosFields = (marker: string): object => ({
  isAxiosError: true,
  config: { headers: { Authorization: `Bearer ${marker}` } },
  response: { status: 500, data: marker },
});

const throwingMessage = (marker: string): Error =>
  Object.defineProperty(new Error('x'), 'message', {
    get: () => {
      throw new Error(marker);
    },
  });

const throwingProxy = (marker: string): object => {
  const refuse = (): never => {
    throw new Error(marker);
  };
  return new Proxy({}, { get: refuse, has: refuse, getPrototypeOf: refuse, ownKeys: refuse });
};

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
