// How is each peer used, as its own documentation says? Plain JavaScript: types must check without them installed.
import { coerceBySchema } from '@ai-sdk-tool/parser/schema-coerce';
import { parse as parseRelaxed } from '@ai-sdk-tool/parser/rjson';
import { LlmJson } from '@typia/utils';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { jsonrepair } from 'jsonrepair';
import { Compile } from 'typebox/compile';
import { Value } from 'typebox/value';
import { z } from 'zod';

export function typeboxReader(schema) {
  const validator = Compile(schema);
  return (text) => must(JSON.parse(text), (value) => validator.Check(value));
}

export function zodReader(name) {
  const schema = zodSchemas[name];
  return (text) => schema.parse(JSON.parse(text));
}

/** Its documented run-time line: lenient parse with coercion by the schema, then validation. */
export function typiaReader(schema) {
  const validate = LlmJson.validate(schema);
  return (text) => {
    const { data } = LlmJson.parse(text, schema);
    return must(data, (value) => validate(value).success);
  };
}

/** Its own second step, for a value that may be relied on. */
export function typiaValidatingRepairer(schema) {
  const repair = typiaRepairer(schema);
  const validate = LlmJson.validate(schema);
  return (text) => must(repair(text), (value) => validate(value).success);
}

export const typiaRepairer = (schema) => (text) => LlmJson.parse(text, schema).data;

/** What its tool-call middleware does with a call's JSON: relaxed parse, then coercion by the schema. */
export const parserRepairer = (schema) => (text) => coerceBySchema(parseRelaxed(text), schema);

/** Its switches for sloppy input: types are coerced, one value becomes a list, defaults are filled. */
export function ajvCoercer(schema) {
  const isValid = ajvOf({ coerceTypes: 'array', useDefaults: true }).compile(schema);
  return (text) => must(JSON.parse(text), isValid);
}

export function typeboxConverter(schema) {
  const validator = Compile(schema);
  return (text) =>
    must(Value.Convert(schema, Value.Default(schema, JSON.parse(text))), (value) =>
      validator.Check(value),
    );
}

/** Only text is repaired; what is in it is validated as it is. */
export function jsonrepairReader(schema) {
  const isValid = ajvOf({}).compile(schema);
  return (text) => must(JSON.parse(jsonrepair(text)), isValid);
}

/** Reads as `repairerOf` does, and then validates. */
export function validating(schema, repairerOf) {
  const repair = repairerOf(schema);
  const isValid = ajvOf({}).compile(schema);
  return (text) => must(repair(text), isValid);
}

/** Nothing is repaired. */
export const ajvReader = (schema) => validating(schema, () => JSON.parse);

function ajvOf(options) {
  const ajv = new Ajv2020({ ...options, strict: false, ownProperties: true, logger: false });
  addFormats.default(ajv);
  return ajv;
}

function must(value, isValid) {
  if (!isValid(value)) throw new Error('the peer refuses a valid call');
  return value;
}

const zodSchemas = {
  flat: z.strictObject({ path: z.string().min(1), limit: z.int().min(1).max(2000) }),
  form: z.strictObject({
    id: z.uuid(),
    email: z.email(),
    due: z.iso.datetime(),
    status: z.enum(['open', 'waiting', 'closed']),
    priority: z.literal([1, 2, 3]),
    tags: z.array(z.string()).max(10),
    channels: z.array(z.enum(['mail', 'phone', 'chat'])),
    summary: z.string().max(500).optional(),
  }),
  nested: z.strictObject({
    customer: z.strictObject({ name: z.string(), city: z.string() }),
    items: z
      .array(
        z.strictObject({
          sku: z.string().min(3),
          quantity: z.int().min(1),
          price: z.number().min(0),
          options: z.strictObject({ color: z.enum(['red', 'blue']), gift: z.boolean() }),
        }),
      )
      .min(1),
  }),
};
