/** More arguments than this are too many for a call of a function in some engines. */
const chunk = 0x2000;

export function base64Of(bytes: Uint8Array): string {
  const characters: string[] = [];
  for (let at = 0; at < bytes.length; at += chunk)
    characters.push(String.fromCharCode(...bytes.subarray(at, at + chunk)));
  return btoa(characters.join(''));
}

export const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
