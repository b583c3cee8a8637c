// What contracts does a decorated class make? Drafts only: the samples are still to be judged by the schema, and
// complaints are still to be thrown.
import type { Complaint } from '../errors/definition-error.ts';
import type { Declaration } from '../metadata/declaration.ts';
import { readDeclaredClass, type DeclaredClass } from '../metadata/declared-class.ts';
import type { ArgumentClass } from '../metadata/declared-type.ts';
import { classBinding, methodBinding } from './class-instance/class-binding.ts';
import { readClassModels } from './class-model/class-models.ts';
import { complaintBook, type ComplaintBook } from './complaint-book.ts';
import { draftTool, type ToolDraft } from './draft-tool.ts';
import { readToolFacts } from './said-of-tool/tool-facts.ts';

/** All tools of one class, and everything that is wrong with any of them. */
export interface ClassDraft {
  readonly tools: readonly ToolDraft[];
  readonly complaints: readonly Complaint[];
}

/** One tool for a `@Tool` class; one for each `@ToolMethod` of a provider. */
export function draftFromClass(Class: ArgumentClass): ClassDraft {
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
