// Would a tool accept the defaults and examples that its author wrote? Asked at registration, and of nothing else:
// a class without samples costs no compilation.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { ToolDraft } from '../contract/draft-tool.ts';
import type { Sample } from '../contract/class-schema/class-samples.ts';
import type { Complaint } from '../errors/definition-error.ts';
import type { SchemaObject } from '../json/json-schema.ts';

/** One complaint for each sample that the tool itself would refuse. */
export function sampleComplaints({ contract, samples }: ToolDraft): readonly Complaint[] {
  if (samples.length === 0) return [];
  const accepts = acceptorOf(contract.inputSchema);
  return samples.flatMap((sample) => {
    const reason = accepts(sample) ?? sample.check()[0]?.message;
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

/** Says why a sample is refused; undefined: it is accepted. */
function acceptorOf(root: SchemaObject): (sample: Sample) => string | undefined {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    ownProperties: true,
    multipleOfPrecision: 9,
    validateSchema: false,
    meta: false,
    logger: false,
  });
  addFormats.default(ajv);
  ajv.addVocabulary(['x-toolmend']);
  ajv.addSchema(root, rootAddress);
  return ({ pointer, value }) => {
    const place = pointer.split('/').map(encodeURIComponent).join('/');
    const accepts = ajv.compile({ $ref: `${rootAddress}#${place}` });
    return accepts(value) ? undefined : ajv.errorsText(accepts.errors, { dataVar: 'value' });
  };
}
