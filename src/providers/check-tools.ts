import { maxDescription } from '../messages/describe-tool.ts';
import { type JsonSchema, type SchemaObject, subschemasOf } from '../schema/json-schema.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import type { ChangeRule, SchemaChange } from './provider-rules.ts';
import { type ProviderName, areStrictAllowed, providerToolNames, providers } from './providers.ts';
import { setLimits, schemaSize, transformTool } from './transform-tool.ts';

export type FindingRule = ChangeRule | 'same-name' | 'set-limit' | 'tool-name';

/** A finding about one tool, or about the whole set, for one provider. */
export interface Finding {
  readonly provider: ProviderName;
  /**
   * `refused`: the request fails. `lost`: the model can't read or send something. `not-strict`:
   * strict mode can't express the tool, which is offered without it. `adapted`: shown in another
   * form, which toolmend maps back.
   */
  readonly level: 'refused' | SchemaChange['kind'];
  /** '' for the set as a whole. */
  readonly tool: string;
  /** JSON Pointer in the tool's input schema; '' for the tool as a whole. */
  readonly place: string;
  readonly rule: FindingRule;
  /** The finding, as a clause: "has a union at its root". */
  readonly what: string;
  /** What to do, as an imperative. */
  readonly fix: string;
}

/** The findings for one provider: worst level first, each level in the order of the tools. */
export function checkSet(
  contracts: readonly ToolContract[],
  provider: ProviderName,
): readonly Finding[] {
  const findings = [
    ...nameFindings(contracts, provider),
    ...contracts.flatMap((contract) => schemaFindings(contract, provider)),
    ...setFindings(contracts, provider),
    ...countFindings(contracts, provider),
    ...contracts.flatMap((contract) => descriptionFindings(contract, provider)),
  ];
  return (['refused', 'lost', 'not-strict', 'adapted'] as const).flatMap((level) =>
    findings
      .filter((finding) => finding.level === level)
      .map((finding) => Object.freeze({ provider, place: '', ...finding, fix: fixOf(finding) })),
  );
}

type ToolFinding = Pick<Finding, 'level' | 'tool' | 'rule' | 'what'> & { readonly place?: string };
type Findings = readonly ToolFinding[];

function descriptionFindings(
  { name: tool, description }: ToolContract,
  provider: ProviderName,
): Findings {
  if (description.length <= maxDescription || provider === 'neutral' || provider === 'mcp')
    return [];
  const what = `has a description of ${description.length} characters, of which some providers take ${maxDescription}`;
  return [{ level: 'lost', tool, rule: 'description', what }];
}

const fixes: Readonly<Record<FindingRule, string>> = {
  'any-value': 'declare a type',
  description: 'shorten it, or the constraints at this place',
  enum: 'declare strings, numbers or booleans',
  limit: 'split the tool',
  misused: 'write a valid value for the keyword',
  'open-object': 'declare the keys, with `additionalProperties: false`',
  optional: 'require it',
  'property-key': 'rename it',
  recursion: 'declare a fixed depth, or an optional property',
  reference: 'write the schema into the tool, under $defs',
  root: 'declare one object',
  'same-name': 'give one of them another name, or a prefix',
  'set-limit': 'offer fewer tools at once, or show some of them without strict mode',
  'tool-name': 'rename it',
  'too-large': 'write a smaller schema',
  tuple: 'declare an object',
  union: 'declare anyOf',
};

function fixOf({ level, rule }: ToolFinding): string {
  if (level === 'adapted') return 'nothing to do: toolmend maps the arguments back';
  return level === 'not-strict'
    ? `offer the tool without strict mode, or ${fixes[rule]}`
    : fixes[rule];
}

function nameFindings(contracts: readonly ToolContract[], provider: ProviderName): Findings {
  const { legal } = providerToolNames(contracts, provider);
  const earlierNames = new Set<string>();
  return contracts.flatMap(({ name: tool }): Findings => {
    const isAgain = earlierNames.has(tool);
    earlierNames.add(tool);
    if (isAgain || tool === '') {
      const what = isAgain ? 'has the name of another tool' : 'has no name';
      return [{ level: 'refused', tool, rule: 'same-name', what }];
    }
    const name = legal.get(tool);
    if (name === undefined) return [];
    const what = `has a name that isn't accepted, and is shown as ${name}`;
    return [{ level: 'adapted', tool, rule: 'tool-name', what }];
  });
}

function schemaFindings(contract: ToolContract, provider: ProviderName): Findings {
  const { schema, changes } = transformTool(contract, providers[provider].rules);
  const { name: tool, unusable } = contract;
  const { schema: rules } = providers[provider].rules;
  const cycle =
    'optionalCycles' in rules && rules.optionalCycles ? requiredCycle(schema) : undefined;
  const tooLarge = {
    level: 'lost',
    tool,
    rule: 'too-large',
    what: `has a schema that ${unusable}`,
  } as const;
  const endless = { level: 'refused', tool, rule: 'recursion' } as const;
  return [
    ...(unusable === undefined ? [] : [tooLarge]),
    ...(cycle === undefined
      ? []
      : [{ ...endless, place: cycle, what: 'contains itself in required properties' }]),
    ...changes.map(({ kind: level, pointer: place, rule, what }) => ({
      level,
      tool,
      place,
      rule,
      what,
    })),
  ];
}

/**
 * The definition that contains itself by way of required properties alone, as a JSON Pointer;
 * undefined if there is none.
 */
function requiredCycle(root: SchemaObject): string | undefined {
  const { $defs = {} } = root;
  const leadsTo = (reference: string, goal: string, visitedReferences: Set<string>): boolean => {
    if (visitedReferences.has(reference)) return false;
    visitedReferences.add(reference);
    const target = $defs[reference.slice('#/$defs/'.length)];
    return requiredReferences(target).some(
      (nextReference) => nextReference === goal || leadsTo(nextReference, goal, visitedReferences),
    );
  };
  return Object.keys($defs)
    .map((name) => `#/$defs/${name}`)
    .find((reference) => leadsTo(reference, reference, new Set()))
    ?.slice(1);
}

/** The references in a schema that are not inside an optional property. */
function requiredReferences(schema: JsonSchema | undefined): readonly string[] {
  if (typeof schema !== 'object') return [];
  const { $ref, properties = {}, required = [], ...rest } = schema;
  const innerSchemas = [...required.map((key) => properties[key]), ...subschemasOf(rest)];
  return [
    ...($ref === undefined ? [] : [$ref]),
    ...innerSchemas.flatMap((part) => requiredReferences(part)),
  ];
}

/** Tools of one request that models still tell apart, and that OpenAI accepts. */
const maxTools = 128;

function countFindings(contracts: readonly ToolContract[], provider: ProviderName): Findings {
  const { length } = contracts;
  const isTooMany = length > maxTools && provider !== 'neutral' && provider !== 'mcp';
  const mixedStrictness = 'are all offered without strict mode, because one of them is not strict';
  return [
    ...(isTooMany
      ? [setFinding('lost', `are ${length}, and models and providers take at most ${maxTools}`)]
      : []),
    ...(areStrictAllowed(contracts, provider) ? [] : [setFinding('not-strict', mixedStrictness)]),
  ];
}

const setFinding = (level: ToolFinding['level'], what: string): ToolFinding => ({
  level,
  tool: '',
  rule: 'set-limit',
  what,
});

function setFindings(contracts: readonly ToolContract[], provider: ProviderName): Findings {
  const { rules } = providers[provider];
  const sizes = contracts.flatMap((contract) => {
    const { strict, schema } = transformTool(contract, rules);
    return strict ? [{ name: contract.name, size: schemaSize(schema) }] : [];
  });
  return setLimits.flatMap(([limit, words]): Findings => {
    const max = rules.strict?.limits[limit] ?? Infinity;
    const sum = sizes.reduce((total, { size }) => total + size[limit], 0);
    if (sum <= max) return [];
    const largest = sizes.toSorted((one, other) => other.size[limit] - one.size[limit]).slice(0, 3);
    const most = largest.map(({ name, size }) => `${name} ${size[limit]}`).join(', ');
    return [
      setFinding(
        'refused',
        `have ${sum} ${words} in all, of which ${max} are accepted (most: ${most})`,
      ),
    ];
  });
}
