/** Whether a name is that of a pattern, in which `*` stands for any characters. */
export function isMatch(pattern: string, name: string): boolean {
  const literals = pattern
    .split('*')
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${literals.join('.*')}$`, 's').test(name);
}
