// May an author's sentence repeat a secret? Never: every value of a `@Secret` field is taken out of it.
import type { ClassModel } from '../class-model/class-model.ts';
import type { CheckFailure } from '../tool-contract.ts';

/** The failures, with all secrets in the object masked. */
export function maskSecrets(
  failures: readonly CheckFailure[],
  object: object,
  byPrototype: ReadonlyMap<unknown, ClassModel>,
): readonly CheckFailure[] {
  if (failures.length === 0) return failures;
  const secrets = secretTexts(object, byPrototype, 'open');
  if (secrets.length === 0) return failures;
  return failures.map((failure) => ({ ...failure, message: masked(failure.message, secrets) }));
}

// The longest first, so that a secret within a secret leaves nothing of either.
const masked = (message: string, secrets: readonly string[]): string =>
  secrets
    .toSorted((left, right) => right.length - left.length)
    .reduce((text, secret) => text.replaceAll(secret, '[secret]'), message);

/** Every text and number in or below a secret field. */
function secretTexts(
  value: unknown,
  byPrototype: ReadonlyMap<unknown, ClassModel>,
  inside: 'open' | 'secret',
): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') {
    return inside === 'secret' && value !== '' ? [String(value)] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const model = byPrototype.get(Object.getPrototypeOf(value));
  const secretFields = new Set(
    model?.fields.flatMap(({ name, facts }) => (facts.marks.has('secret') ? [name] : [])),
  );
  return Object.entries(value).flatMap(([key, member]) =>
    secretTexts(member, byPrototype, secretFields.has(key) ? 'secret' : inside),
  );
}
