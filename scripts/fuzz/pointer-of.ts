// How is a place written as a JSON Pointer? Apart from the library's own pointers.

export const pointerOf = (keys: readonly string[]): string =>
  keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
