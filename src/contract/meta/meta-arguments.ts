// Which arguments are about the call and not for the tool? Shown to models, taken out before the tool sees anything.
import type { MetaArgument } from '../tool-contract.ts';

/** `_rationale`, `_timeout_seconds` and `_background`; off until a registry or a call switches them on. */
export const standardMetaArguments: readonly MetaArgument[] = Object.freeze([
  {
    key: '_rationale',
    name: 'rationale',
    kind: 'text',
    aliases: [],
    isRequired: false,
    schema: { type: 'string', description: 'Why this call is made, in one sentence.' },
  },
  {
    key: '_timeout_seconds',
    name: 'timeout_seconds',
    kind: 'positive-integer',
    aliases: ['timeout'],
    isRequired: false,
    schema: { type: 'integer', minimum: 1, description: 'Seconds this call may take.' },
  },
  {
    key: '_background',
    name: 'background',
    kind: 'boolean',
    aliases: [],
    isRequired: false,
    schema: { type: 'boolean', description: 'Whether the call may go on in the background.' },
  },
] satisfies readonly MetaArgument[]);

/** The values of `standardMetaArguments`, for `ToolContext<StandardMeta>`. */
export interface StandardMeta {
  readonly rationale?: string;
  /** Seconds. */
  readonly timeout_seconds?: number;
  readonly background?: boolean;
}

/** The key that a model sees for a name in the meta record: the same with an underscore before it. */
export const canonicalKey = (name: string): string => `_${name}`;
