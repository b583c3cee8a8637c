// What exactly does an approval speak of? Of one call to one definition, with these arguments, for one tenant.
import { createHash } from 'node:crypto';
import type { Accepted } from '../../interpret/interpretation.ts';
import { canonicalJson } from '../../json/canonical-json.ts';
import type { JsonValue } from '../../json/json-value.ts';

/** All that is bound; another value in any of them is another approval. */
export interface ApprovedSubject {
  readonly callId: string;
  readonly tool: string;
  /** Of the tool's contract. */
  readonly contract: string;
  /** What the tool says of its danger. */
  readonly effects: string | undefined;
  readonly interpretation: Pick<Accepted, 'value' | 'meta' | 'text'>;
  readonly scope: string | undefined;
}

/** `sha256:…`, whatever the order of keys. */
export const approvalDigest = ({ interpretation, effects, scope, ...bound }: ApprovedSubject): string =>
  sealOf({
    ...bound,
    effects: effects ?? null,
    arguments: interpretation.value,
    meta: interpretation.meta,
    // Its numbers may have digits that the value has lost.
    ...(interpretation.text === undefined ? {} : { text: interpretation.text }),
    scope: scope ?? null,
  });

/** `sha256:…`; half of a character is another text than any other half. */
export const sealOf = (value: JsonValue): string =>
  `sha256:${createHash('sha256').update(canonicalJson(value)).digest('hex')}`;
