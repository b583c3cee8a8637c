// Which of the sent keys are meta arguments? They are taken out or refused; nothing of them vanishes.
import type { MetaArgument, ToolContract } from '../contract/tool-contract.ts';
import type { Issue } from '../issues/issue.ts';
import { excerptOf } from '../issues/excerpt.ts';
import { foldKey } from '../json/fold-key.ts';
import { pointerTo } from '../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { objectOf } from '../json/own-key.ts';
import type { RepairRecord } from '../repair/repair-record.ts';
import type { MetaValues } from './interpretation.ts';

export type MetaReading =
  | {
      readonly kind: 'taken';
      readonly value: JsonObject;
      readonly meta: MetaValues;
      readonly records: readonly RepairRecord[];
    }
  | { readonly kind: 'refused'; readonly issues: readonly Issue[] };

/** A key that is no meta argument stays where it is. */
export function takeMeta({ meta, inputSchema }: ToolContract, value: JsonObject): MetaReading {
  if (meta.length === 0) return { kind: 'taken', value, meta: {}, records: [] };
  const declared = new Set(Object.keys(inputSchema.properties ?? {}).map(foldKey));
  const sent = meta.map((argument) => ({ argument, keys: keysFor(argument, value, declared) }));
  const issues = sent.flatMap(({ argument, keys }) => issuesOf(argument, keys, value));
  if (issues.length > 0) return { kind: 'refused', issues };
  const taken = sent.flatMap(({ argument, keys }) =>
    keys.map((key) => ({ argument, key, sent: value[key] ?? null })),
  );
  if (taken.length === 0) return { kind: 'taken', value, meta: {}, records: [] };
  const gone = new Set(taken.map(({ key }) => key));
  return {
    kind: 'taken',
    value: objectOf(Object.entries(value).filter(([key]) => !gone.has(key))),
    meta: objectOf(
      taken.flatMap(({ argument, sent: came }) =>
        came === null ? [] : [[argument.name, valueOf(argument, came)] as const],
      ),
    ),
    records: taken
      .filter(({ argument, key }) => key !== argument.key)
      .map(({ argument, key }) => recordOf(argument, key)),
  };
}

/** The canonical key, and each other spelling, unless the tool declares a parameter that folds to the same. */
function keysFor(
  argument: MetaArgument,
  value: JsonObject,
  declared: ReadonlySet<string | undefined>,
): readonly string[] {
  const spellings = new Set([argument.key, ...argument.aliases].map(foldKey));
  return Object.keys(value).filter((key) => {
    if (key === argument.key) return true;
    const folded = foldKey(key);
    return folded !== undefined && spellings.has(folded) && !declared.has(folded);
  });
}

function issuesOf(argument: MetaArgument, keys: readonly string[], value: JsonObject): readonly Issue[] {
  const [key, second] = keys;
  // null counts as absent.
  if (key === undefined || (keys.length === 1 && value[key] === null)) {
    return argument.isRequired
      ? [{ keyword: 'required', path: '', key: argument.key, expected: expectation[argument.kind] }]
      : [];
  }
  if (second !== undefined) {
    return [
      { keyword: 'meta', path: pointerTo('', second), key: second, advice: `send ${argument.key} once` },
    ];
  }
  const sent = value[key] ?? null;
  if (valueOf(argument, sent) !== null) return [];
  return [
    {
      keyword: 'meta',
      path: pointerTo('', key),
      expected: expectation[argument.kind],
      received: excerptOf(sent),
    },
  ];
}

const expectation = {
  text: 'text that is not blank',
  'positive-integer': 'a whole number above 0',
  boolean: 'true or false',
} as const;

/** The value as the meta record has it; null if it is wrong. */
function valueOf({ kind }: MetaArgument, sent: JsonValue): JsonValue {
  if (kind === 'text') return typeof sent === 'string' && sent.trim() !== '' ? sent : null;
  if (kind === 'boolean') return booleanOf(sent);
  const number = typeof sent === 'string' && /^\s*\d+(?:\.0+)?\s*$/.test(sent) ? Number(sent) : sent;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : null;
}

function booleanOf(sent: JsonValue): boolean | null {
  if (typeof sent === 'boolean') return sent;
  if (typeof sent !== 'string') return null;
  const word = sent.trim().toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : null;
}

const recordOf = (argument: MetaArgument, key: string): RepairRecord => ({
  rule: 'meta_key',
  path: pointerTo('', key),
  was: argument.key,
  tell: false,
  operations: [{ op: 'remove', path: pointerTo('', key) }],
});
