import { createHmac, randomBytes } from 'node:crypto';

/** Returns `KEY:DIGEST`. Two digests with one key are equal only if their texts are. */
export type SecretDigest = (text: string) => string;

/**
 * Makes digests from which a secret can't be guessed without the key. The database has neither
 * secrets nor keys. Without a key, each process has a random one.
 */
export function secretDigestWith(key: string | Buffer = randomBytes(32)): SecretDigest {
  const digest = (text: string): string =>
    createHmac('sha256', key).update(text).digest('base64url');
  const name = digest('toolmend.journal').slice(0, 12);
  return (text) => `${name}:${digest(text)}`;
}
