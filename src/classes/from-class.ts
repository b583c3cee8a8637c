import addFormats from 'ajv-formats';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import {
  type Complaint,
  type ComplaintBook,
  DefinitionError,
  complaintBook,
} from '../errors/definition-error.ts';
import { freezeDeep } from '../json/value.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import { resolveReference } from '../schema/references.ts';
import { viewsOf } from '../schema/validated-schema.ts';
import type { Constructor, CreateValidator, ToolBinding, ToolContract } from '../tool/tool-contract.ts';
import { type ToolFacts, readToolFacts } from '../tool/tool-metadata.ts';
import { findInitialisers } from './check-class.ts';
import { besideSchema, classBinding, methodBinding } from './class-instance.ts';
import type { ClassModel, ClassModels } from './class-model.ts';
import { type Sample, classSchema, withoutRequiredSecrets } from './class-schema.ts';
import {
  type ArgumentClass,
  type Declaration,
  type DeclaredClass,
  readDeclaredClass,
} from './declarations.ts';
import { readClassModels } from './read-class.ts';

/** A contract whose samples nobody has validated yet. */
export interface ToolDraft {
  readonly contract: ToolContract;
  readonly samples: readonly Sample[];
}

export interface ToolParts {
  readonly facts: ToolFacts;
  /** What is said of the tool beside what its arguments say. */
  readonly hints: readonly string[];
  readonly Arguments: ArgumentClass;
  readonly models: ClassModels;
  readonly binding: ToolBinding;
}

function draftTool({ facts, hints, Arguments, models, binding }: ToolParts, book: ComplaintBook): ToolDraft {
  const { schema, samples } = classSchema(Arguments, models);
  for (const model of models.values()) {
    for (const { where, what, instead } of findInitialisers(model)) book.at(where)(what, instead);
  }
  const contextFields = models.get(Arguments)?.contextFields ?? [];
  const contract: ToolContract = Object.freeze({
    ...facts,
    hints: Object.freeze([...hints, ...[...models.values()].flatMap(hintsOf)]),
    inputSchema: freezeDeep(schema),
    strict: Object.freeze({ paths: 'declared', spellings: true }),
    meta: Object.freeze([]),
    contextFields: Object.freeze(contextFields.map(({ name }) => name)),
    ...besideSchema(Arguments, models),
    binding: Object.freeze(binding),
  });
  return { contract, samples };
}

const hintsOf = ({ hints, fields }: ClassModel): readonly string[] => [
  ...hints,
  ...fields.flatMap(({ facts }) => facts.hints),
];

// Drafts only: the samples are still to be validated against the schema, and complaints are still to be thrown.
/** All tools of one class, and everything that is wrong with any of them. */
export interface ClassDraft {
  readonly tools: readonly ToolDraft[];
  readonly complaints: readonly Complaint[];
}

/** One tool for a `@Tool` class; one for each `@ToolMethod` of a provider. */
function draftFromClass(Class: ArgumentClass): ClassDraft {
  const book = complaintBook();
  const declared = readDeclaredClass(Class);
  const tools = [...toolOfClass(declared, book), ...toolsOfMethods(declared, book)];
  complainOfKind(declared, book);
  return { tools, complaints: book.complaints };
}

function complainOfKind({ Class, own, methods }: DeclaredClass, book: ComplaintBook): void {
  const isTool = own.some(({ fact }) => fact.about === 'tool');
  const hasMethods = methods.some(({ fact }) => fact.about === 'method');
  if (isTool && hasMethods) {
    book.at(Class.name)('is a @Tool and has a @ToolMethod', 'make two classes of it');
  }
  if (!isTool && !hasMethods) {
    book.at(Class.name)(
      'is no tool',
      'write @Tool({ description }) on the class, or @ToolMethod on a method',
    );
  }
}

function toolOfClass({ Class, own }: DeclaredClass, book: ComplaintBook): readonly ToolDraft[] {
  return own.flatMap(({ fact }) => {
    if (fact.about !== 'tool') return [];
    const models = readClassModels(Class, 'tool', book);
    if (typeof Reflect.get(Class.prototype, 'execute') !== 'function') {
      book.at(Class.name)('has no method execute', 'write async execute(context) { … }');
    }
    const facts = readToolFacts(fact.options, Class.name, book.at(Class.name), book);
    return [
      draftTool({ facts, hints: [], Arguments: Class, models, binding: classBinding(Class, models) }, book),
    ];
  });
}

function toolsOfMethods({ Class, methods }: DeclaredClass, book: ComplaintBook): readonly ToolDraft[] {
  return methods.flatMap(({ fact, member: method }) => {
    if (fact.about !== 'method' || method === undefined) return [];
    const { Arguments, options } = fact;
    if (typeof Arguments !== 'function') {
      book.at(Class.name, method)(
        'has @ToolMethod without a class of arguments',
        'write @ToolMethod(Arguments, { description })',
      );
      return [];
    }
    const models = readClassModels(Arguments, 'arguments', book);
    const binding = methodBinding({ Owner: Class, method, Arguments, models });
    const facts = readToolFacts(options, method, book.at(Class.name, method), book);
    return [draftTool({ facts, hints: hintsOn(methods, method), Arguments, models, binding }, book)];
  });
}

const hintsOn = (methods: readonly Declaration[], method: string): readonly string[] =>
  methods
    .toReversed()
    .flatMap(({ fact, member }) => (fact.about === 'hint' && member === method ? [fact.text] : []));

// Asked at registration, and of nothing else: a class without samples costs no compilation, and all samples of a tool
// cost one.
/** One complaint for each sample that the tool itself would refuse. */
function sampleComplaints(
  { contract, samples }: ToolDraft,
  validator: CreateValidator | undefined,
): readonly Complaint[] {
  if (samples.length === 0) return [];
  const reasons =
    validator === undefined
      ? ajvReasons(withoutRequiredSecrets(contract.inputSchema), samples)
      : portReasons(contract, samples, validator);
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

/** Another validator than Ajv knows no sentences. */
function portReasons(
  contract: ToolContract,
  samples: readonly Sample[],
  validator: CreateValidator,
): readonly (string | undefined)[] {
  const root = withoutRequiredSecrets(viewsOf(contract).root);
  const schemas = validator(root);
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

// By a copy of each tool's contract.
/** The same contract if there is nothing to say; the tool's own validator stands. */
export const withValidator = (
  contract: ToolContract,
  validator: CreateValidator | undefined,
): ToolContract =>
  validator === undefined || contract.validator !== undefined
    ? contract
    : Object.freeze({ ...contract, validator });

// Read once per class, by its identity; whatever is wrong is told at once.
// Keyed by the class and let go with it; what could not be read is read anew.
const known = new WeakMap<Constructor, readonly ToolContract[]>();

/**
 * The contract of a `@Tool` class, validated by Ajv unless another validator is given. Throws a DefinitionError with every complaint
 * about it.
 */
export function contractOf(Class: Constructor, validator?: CreateValidator): ToolContract {
  const [contract, ...others] = contractsOf(Class, validator);
  if (contract?.binding.kind === 'class' && others.length === 0) return contract;
  throw new DefinitionError([
    { where: Class.name, what: 'has its tools on methods', instead: 'read them with contractsOf(Class)' },
  ]);
}

/** The contracts of a class: one for `@Tool`, one for each `@ToolMethod`. Throws as `contractOf` does. */
export function contractsOf(Class: Constructor, validator?: CreateValidator): readonly ToolContract[] {
  const contracts = known.get(Class) ?? Object.freeze(readContracts(Class, validator));
  known.set(Class, contracts);
  return validator === undefined
    ? contracts
    : contracts.map((contract) => withValidator(contract, validator));
}

function readContracts(Class: Constructor, validator: CreateValidator | undefined): readonly ToolContract[] {
  const { tools, complaints } = draftFromClass(Class);
  // A schema with holes would find fault with samples that are right.
  const all = complaints.length > 0 ? complaints : tools.flatMap((tool) => sampleComplaints(tool, validator));
  if (all.length > 0) throw new DefinitionError(all);
  return tools.map(({ contract }) => contract);
}
