import { createHmac, randomBytes } from 'node:crypto';

/** Returns `KEY:DIGEST`. Digests with the same key are the same for the same text alone. */
export type SecretDigest = (text: string) => string;

/**
 * Digests of secrets, which nobody can guess without the key. The database has neither secrets nor keys. Without a key, each process
 * has a random one.
 */
export function secretDigestWith(key: string | Buffer = randomBytes(32)): SecretDigest {
  const digest = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  const name = digest('toolmend.journal').slice(0, 12);
  return (text) => `${name}:${digest(text)}`;
}
