// Arguments of a tool that calls other tools by name: MCP gateways, tool search.
import { memoize } from '../collections/memoize.ts';
import { defined, objectOf, ownValue } from '../collections/objects.ts';
import { editJson } from '../json/json-edits.ts';
import { pointerTo } from '../json/pointers.ts';
import { quote } from '../json/preview.ts';
import { isJsonObject } from '../json/value.ts';
import type { RepairRecord } from '../repair/repair-rule.ts';
import { type SchemaObject, isSchemaObject } from '../schema/json-schema.ts';
import type {
  ArgumentCheck,
  CheckFailure,
  Dispatch,
  Effects,
  ToolContract,
} from '../tool/tool-contract.ts';
import { validatorOf } from '../validate/validator.ts';
import { interpretSentCall } from './interpret.ts';
import {
  type Accepted,
  type Interpretation,
  type MetaValues,
  type Rejected,
  reject,
} from './interpretation.ts';

/**
 * The dispatcher with the effects of the inner tool: its danger counts. The same object for the same
 * effects.
 */
export function withInnerEffects(outer: ToolContract, inner: ToolContract): ToolContract {
  const { effects } = inner;
  return effects === undefined || effects === outer.effects ? outer : variantsOf(outer)(effects);
}

const variantsOf = memoize((outer: ToolContract) => {
  const variants = new Map<Effects, ToolContract>();
  return (effects: Effects): ToolContract => {
    const repair = effects === 'destructive' ? 'lossless' : outer.repair;
    const variant = variants.get(effects) ?? Object.freeze({ ...outer, effects, repair });
    variants.set(effects, variant);
    return variant;
  };
});

/**
 * Judges the whole arguments again, with the schema of the inner tool in the place of its arguments:
 * paths of records and issues lead into the arguments of the dispatcher.
 */
export function interpretInner(
  outer: ToolContract,
  inner: ToolContract,
  { value, meta, text, repairs, notes }: Accepted,
): Interpretation {
  const { dispatches } = outer;
  if (dispatches === undefined)
    return { value, meta, repairs, notes, issues: [], status: 'unchanged' };
  const nameRepairs = nameRecords(dispatches, ownValue(value, dispatches.name), inner.name);
  const isRenamed = nameRepairs.length > 0;
  const namedArguments = isRenamed
    ? objectOf([...Object.entries(value), [dispatches.name, inner.name] as const])
    : value;
  // The text has the digits of numbers.
  const renamedText = (json: string): string =>
    isRenamed
      ? editJson(json, [{ path: [dispatches.name], text: JSON.stringify(inner.name) }])
      : json;
  const judgement = interpretSentCall(
    judgingContract(outer)(inner),
    { arguments: text === undefined ? namedArguments : renamedText(text) },
    { output: text === undefined ? 'value' : 'json' },
    { mapping: undefined, takeMeta: undefined },
  );
  if (judgement.status === 'rejected') return { ...judgement, meta };
  const allRepairs = [...repairs, ...nameRepairs, ...judgement.repairs];
  return {
    ...judgement,
    meta,
    status: allRepairs.length === 0 ? 'unchanged' : 'repaired',
    repairs: allRepairs,
    notes: [...notes, ...judgement.notes],
  };
}

const nameRecords = (
  { name: key }: Dispatch,
  sentName: unknown,
  name: string,
): readonly RepairRecord[] => {
  if (typeof sentName !== 'string' || sentName === name) return [];
  const path = pointerTo('', key);
  const operations = [{ op: 'replace', path, value: name }] as const;
  return [{ rule: 'tool_name', path, was: quote(sentName), shownToModel: false, operations }];
};

/** The rejection of a call that names no inner tool. */
export const rejectInnerName = (
  outer: ToolContract,
  meta: MetaValues,
  advice: string,
): Rejected => {
  const path = pointerTo('', outer.dispatches?.name ?? '');
  return reject(validatorOf(outer), meta, [{ keyword: 'unknown_tool', path, advice }]);
};

/** By outer, then by inner tool. Messages are about the dispatcher, which the model calls. */
const judgingContract = memoize((outer: ToolContract) =>
  memoize((inner: ToolContract): ToolContract => {
    const { dispatches, schemaWithMeta: _meta, validation: _library, check, ...others } = outer;
    if (dispatches === undefined) return outer;
    const checks = [...(check === undefined ? [] : [check]), ...innerChecks(inner, dispatches)];
    const isDestructive = inner.effects === 'destructive';
    return Object.freeze({
      ...others,
      inputSchema: composedSchema(outer.inputSchema, inner, dispatches),
      repair: isDestructive ? inner.repair : outer.repair,
      ...defined({ effects: inner.effects ?? outer.effects }),
      meta: Object.freeze([]),
      ...(checks.length === 0 ? {} : { check: allChecks(checks) }),
    });
  }),
);

/** The inner schema is one of its own, whose references lead into itself. */
function composedSchema(
  outer: SchemaObject,
  { name, inputSchema }: ToolContract,
  dispatches: Dispatch,
): SchemaObject {
  const declaredName = outer.properties?.[dispatches.name];
  const nameSchema = { ...(isSchemaObject(declaredName) ? declaredName : {}), enum: [name] };
  const { required = [] } = outer;
  const needsArguments = (inputSchema.required ?? []).length > 0;
  return Object.freeze({
    ...outer,
    properties: {
      ...outer.properties,
      [dispatches.name]: nameSchema,
      [dispatches.arguments]: {
        $id: `urn:toolmend:inner:${encodeURIComponent(name)}`,
        ...inputSchema,
      },
    },
    // The name was sent. An example without it would be the call of no tool.
    required: [
      ...new Set([...required, dispatches.name, ...(needsArguments ? [dispatches.arguments] : [])]),
    ],
  });
}

const innerChecks = ({ check }: ToolContract, dispatches: Dispatch): readonly ArgumentCheck[] => {
  if (check === undefined) return [];
  const prefix = pointerTo('', dispatches.arguments);
  const isInside = (failure: CheckFailure): CheckFailure => ({
    ...failure,
    path: prefix + failure.path,
  });
  return [
    (value) => {
      const innerValue = ownValue(value, dispatches.arguments);
      return isJsonObject(innerValue) ? check(innerValue).map(isInside) : [];
    },
  ];
};

const allChecks =
  (checks: readonly ArgumentCheck[]): ArgumentCheck =>
  (value) =>
    checks.flatMap((check) => check(value));
