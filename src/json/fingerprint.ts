// How is a long text remembered in a few characters? By a hash; for recognising, never for anything that must be safe.

/** The length and 64 bits of two multiplicative hashes (FNV-1a's prime and MurmurHash's first constant). */
export function fingerprintOf(text: string): string {
  let first = 0x811c9dc5;
  let second = 0x9747b28c;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    first = Math.imul(first ^ unit, 0x01000193);
    second = Math.imul((second << 13) ^ (second >>> 19) ^ unit, 0xcc9e2d51);
  }
  return `${text.length}.${(first >>> 0).toString(36)}.${(second >>> 0).toString(36)}`;
}
