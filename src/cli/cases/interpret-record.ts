// How is a recorded call interpreted? Through the one seam; a contract that many lines share is made once.
import { contractFromSchema } from '../../contract/contract-from-schema.ts';
import { standardMetaArguments } from '../../contract/meta/meta-arguments.ts';
import type { ToolContract } from '../../contract/tool-contract.ts';
import { interpret } from '../../interpret/interpret.ts';
import type { Interpretation } from '../../interpret/interpretation.ts';
import { judgeOf } from '../../validate/judge-of.ts';
import { type KnownNames, knownNames } from './known-names.ts';
import type { RecordedCall } from '../records/recorded-call.ts';

/** Contracts that are kept; then all are forgotten, so that a file with ever new tools doesn't fill the memory. */
const mostContracts = 500;

export class RecordInterpreter {
  readonly #contracts = new Map<string, ToolContract>();
  readonly #names = new WeakMap<ToolContract, KnownNames>();
  readonly #told = new WeakSet<ToolContract>();

  /** Throws a DefinitionError if the tool's schema is none of an object. */
  interpret(call: RecordedCall): Interpretation {
    const { sent, finishReason } = call;
    return interpret(this.#contractOf(call), {
      // A value that is text is a root of the wrong type, not argument text.
      arguments:
        sent.kind === 'text'
          ? sent.text
          : typeof sent.value === 'string'
            ? JSON.stringify(sent.value)
            : sent.value,
      ...(finishReason === undefined ? {} : { finishReason }),
    });
  }

  /** What is wrong with the call's schema, told once: nobody judges by it, or not by all of it. */
  warningsOf(call: RecordedCall): readonly string[] {
    const contract = this.#contractOf(call);
    if (this.#told.has(contract)) return [];
    this.#told.add(contract);
    return judgeOf(contract).warnings.map(({ message }) => message);
  }

  /** The names that the call's schema has. */
  namesOf(call: RecordedCall): KnownNames {
    const contract = this.#contractOf(call);
    const names = this.#names.get(contract) ?? knownNames(contract);
    this.#names.set(contract, names);
    return names;
  }

  #contractOf({ tool, meta }: RecordedCall): ToolContract {
    const question = JSON.stringify([tool.name, tool.effects, meta, tool.schema]);
    const known = this.#contracts.get(question);
    if (known !== undefined) return known;
    const { name, effects, schema } = tool;
    const contract = contractFromSchema({
      ...(name === undefined ? {} : { name }),
      ...(effects === undefined ? {} : { effects }),
      inputSchema: schema,
      onUnusableSchema: 'warn',
      meta: meta ? standardMetaArguments : [],
    });
    if (this.#contracts.size >= mostContracts) this.#contracts.clear();
    this.#contracts.set(question, contract);
    return contract;
  }
}
