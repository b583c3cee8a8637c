// Would a tool accept the defaults and examples that its author wrote? Asked at registration, and of nothing else:
// a class without samples costs no compilation, and all samples of a tool cost one.
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Sample } from '../contract/class-schema/class-samples.ts';
import type { ToolDraft } from '../contract/draft-tool.ts';
import type { Complaint } from '../errors/definition-error.ts';
import type { SchemaObject } from '../json/json-schema.ts';

/** One complaint for each sample that the tool itself would refuse. */
export function sampleComplaints({ contract, samples }: ToolDraft): readonly Complaint[] {
  if (samples.length === 0) return [];
  const errors = schemaErrors(contract.inputSchema, samples);
  return samples.flatMap((sample, index) => {
    const reason = schemaReason(errors, index) ?? sample.check()[0]?.message;
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

const rootAddress = 'toolmend:samples';

/** What the schema says of all samples; those of the sample at 3 have a path that starts with `/3`. */
function schemaErrors(root: SchemaObject, samples: readonly Sample[]): readonly ErrorObject[] {
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
  return accepts.errors ?? [];
}

const fragment = (pointer: string): string => pointer.split('/').map(encodeURIComponent).join('/');

function schemaReason(errors: readonly ErrorObject[], index: number): string | undefined {
  const place = `/${index}`;
  const first = errors.find(({ instancePath }) => `${instancePath}/`.startsWith(`${place}/`));
  return first === undefined
    ? undefined
    : `value${first.instancePath.slice(place.length)} ${first.message ?? ''}`;
}
