// What did a model mean that was shown its tools in a provider's form? The same call in the tools' own names and form; no
// repair. Text that can't be read as it is, is left to whoever mends it.
import type { ToolContract } from '../contract/tool-contract.ts';
import { dialects, type ProviderDialect } from './dialect-table.ts';
import { lowerContract } from './lowering/lower-contract.ts';
import { shownNames } from './show-set.ts';
import { decodeArguments } from './way-back/way-back.ts';
import { isJsonObject, type JsonObject } from '../json/json-value.ts';
import { readPlainValue } from '../json/plain-value.ts';
import { parseJson } from '../json/reader/parse-json.ts';

const deepest = 64;

/** A call's name and arguments, as text or as a value. */
export interface NamedCall {
  readonly name: string;
  readonly arguments: unknown;
}

/** The tool's own name, and its own arguments as a value where they differ. */
export function readCall(
  contracts: ReadonlyMap<string, ToolContract>,
  dialect: ProviderDialect,
  { name: shown, arguments: sent }: NamedCall,
): NamedCall {
  const name = shownNames(contracts.values(), dialect).own.get(shown) ?? shown;
  const contract = contracts.get(name);
  const value = contract === undefined ? undefined : objectSent(sent);
  if (contract === undefined || value === undefined) return { name, arguments: sent };
  const own = decodeArguments(lowerContract(contract, dialects[dialect].rules), value);
  return { name, arguments: own === value ? sent : own };
}

/** undefined for what is no object, and where digits would be lost or a key came twice: that is judged as it came. */
function objectSent(sent: unknown): JsonObject | undefined {
  if (typeof sent === 'string') {
    const reading = parseJson(sent, deepest, 'approximate');
    const isPlain = reading.kind === 'read' && !reading.numbers.lossy && reading.repeatedKeys.length === 0;
    return isPlain && isJsonObject(reading.value) ? reading.value : undefined;
  }
  const reading = readPlainValue(sent, deepest);
  return reading.kind === 'plain' && isJsonObject(reading.value) ? reading.value : undefined;
}
