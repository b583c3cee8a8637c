// Would a tool accept the defaults and examples that its author wrote? Asked at registration, and of nothing else:
// a class without samples costs no compilation, and all samples of a tool cost one.
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Sample, withoutRequiredSecrets } from '../../contract/class-schema/class-samples.ts';
import type { ToolDraft } from '../../contract/draft-tool.ts';
import { viewsOf } from '../../contract/judged-schema/judged-schema.ts';
import { resolveReference } from '../../contract/judged-schema/local-references.ts';
import type { SchemaJudge } from '../../contract/schema-judge.ts';
import type { ToolContract } from '../../contract/tool-contract.ts';
import type { Complaint } from '../../errors/definition-error.ts';
import type { SchemaObject } from '../../json/json-schema.ts';

/** One complaint for each sample that the tool itself would refuse. */
export function sampleComplaints(
  { contract, samples }: ToolDraft,
  judge: SchemaJudge | undefined,
): readonly Complaint[] {
  if (samples.length === 0) return [];
  const reasons =
    judge === undefined
      ? ajvReasons(withoutRequiredSecrets(contract.inputSchema), samples)
      : portReasons(contract, samples, judge);
  return samples.flatMap((sample, index) => {
    const reason = reasons[index] ?? sample.check()[0]?.message;
    if (reason === undefined) return [];
    return [
      {
        where: sample.where,
        what: `has ${sample.decorator} with ${JSON.stringify(sample.value)}, which it refuses (${reason})`,
        instead: 'write a value that passes',
      },
    ];
  });
}

/** Another judge than Ajv knows no sentences. */
function portReasons(
  contract: ToolContract,
  samples: readonly Sample[],
  judge: SchemaJudge,
): readonly (string | undefined)[] {
  const root = withoutRequiredSecrets(viewsOf(contract).root);
  const schemas = judge(root);
  return samples.map(({ pointer, value }) => {
    const schema = resolveReference(`#${fragment(pointer)}`, root) ?? true;
    return schemas.compile(schema)(value) ? undefined : 'its schema does';
  });
}

const rootAddress = 'toolmend:samples';

/** What the schema says of all samples; the errors of the sample at 3 have a path that starts with `/3`. */
function ajvReasons(root: SchemaObject, samples: readonly Sample[]): readonly (string | undefined)[] {
  const ajv = new Ajv2020({
    strict: true,
    allErrors: true,
    ownProperties: true,
    multipleOfPrecision: 9,
    validateSchema: false,
    meta: false,
    logger: false,
  });
  addFormats.default(ajv);
  ajv.addVocabulary(['x-toolmend']);
  ajv.addSchema(root, rootAddress);
  const accepts = ajv.compile({
    type: 'array',
    prefixItems: samples.map(({ pointer }) => ({ $ref: `${rootAddress}#${fragment(pointer)}` })),
    items: false,
    minItems: samples.length,
    maxItems: samples.length,
  });
  accepts(samples.map(({ value }) => value));
  const errors = accepts.errors ?? [];
  return samples.map((_sample, index) => schemaReason(errors, index));
}

const fragment = (pointer: string): string => pointer.split('/').map(encodeURIComponent).join('/');

function schemaReason(errors: readonly ErrorObject[], index: number): string | undefined {
  const place = `/${index}`;
  const first = errors.find(({ instancePath }) => `${instancePath}/`.startsWith(`${place}/`));
  return first === undefined
    ? undefined
    : `value${first.instancePath.slice(place.length)} ${first.message ?? ''}`;
}
