/** A random UUID. Browsers have `randomUUID` only on pages that came by HTTPS or from localhost. */
export const randomId = (): string =>
  crypto.randomUUID?.() ?? versionFour(crypto.getRandomValues(new Uint8Array(16)));

/** RFC 9562: version 4 in the seventh byte, the variant in the ninth. */
function versionFour(bytes: Uint8Array): string {
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const variant = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant.toString(16)}${digits.slice(18, 20)}`,
    digits.slice(20),
  ].join('-');
}
