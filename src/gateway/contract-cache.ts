import { createHash } from 'node:crypto';
import { defined } from '../collections/objects.ts';
import { interpret } from '../interpret/interpret-arguments.ts';
import { contractFromSchema } from '../tool/from-schema.ts';
import type { Dispatch, ToolContract } from '../tool/tool-contract.ts';
import type { RequestTool } from './protocol.ts';

/** What the contract of a tool is made of. */
export interface CheckedTool extends Pick<
  RequestTool,
  'name' | 'description' | 'schema' | 'effects'
> {
  /** undefined: the tool calls no other tools. */
  readonly dispatches?: Pick<Dispatch, 'name' | 'arguments'> | undefined;
}

interface KnownContract {
  /** undefined: the schema can't be used. */
  readonly contract: ToolContract | undefined;
  /** Characters of the tool. */
  readonly size: number;
}

/** A cached contract takes 10 to 100 bytes per character of its tool's JSON. */
const maxToolCharacters = 2 * 1024 * 1024;

/**
 * Contracts by the content of their tool: agents send all tools with each request. The ones that
 * were used longest ago are forgotten.
 */
export class ContractCache {
  readonly #contracts = new Map<string, KnownContract>();
  readonly #maxCount: number;
  readonly #maxSize: number;
  #size = 0;

  constructor(maxCount = 4_096, maxSize = maxToolCharacters) {
    this.#maxCount = maxCount;
    this.#maxSize = maxSize;
  }

  /** Undefined if the tool's schema can't be used. */
  contractOf(tool: CheckedTool): ToolContract | undefined {
    const { name, description, schema = null, effects = null, dispatches = null } = tool;
    const content = JSON.stringify([name, description, schema, effects, dispatches]);
    const digest = createHash('sha256').update(content).digest('base64');
    const entry = this.#contracts.get(digest) ?? {
      contract: makeContract(tool),
      size: content.length,
    };
    this.#forget(digest);
    this.#contracts.set(digest, entry);
    this.#size += entry.size;
    for (const oldest of this.#contracts.keys()) {
      if (oldest === digest || !this.#isFull()) break;
      this.#forget(oldest);
    }
    return entry.contract;
  }

  #isFull(): boolean {
    return this.#contracts.size > this.#maxCount || this.#size > this.#maxSize;
  }

  #forget(digest: string): void {
    this.#size -= this.#contracts.get(digest)?.size ?? 0;
    this.#contracts.delete(digest);
  }
}

function makeContract({
  name,
  description,
  schema,
  effects,
  dispatches,
}: CheckedTool): ToolContract | undefined {
  if (schema === undefined) return undefined;
  try {
    const contract = contractFromSchema({
      name,
      description,
      inputSchema: schema,
      onUnusableSchema: 'warn',
      ...defined({ effects, dispatches }),
    });
    // The validator is made lazily. This call makes it now, so that a bad schema fails here and not
    // in the middle of an answer.
    interpret(contract, { arguments: '{}' });
    return contract.unusable === undefined ? contract : undefined;
  } catch {
    return undefined;
  }
}
