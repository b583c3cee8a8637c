/**
 * Where the source is published, such as `https://github.com/OWNER/toolmend`. `npm publish` fails
 * while it is empty. A packed package has it as `repository`, `homepage` and `bugs`, and the links
 * of its README lead there.
 */
export const packageAddress: string = '';
