// Which words are true and false? As JSON or Python writes them, or in capitals.

const words: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
]);

export const booleanInText = (text: string): boolean | undefined => words.get(text.trim());
