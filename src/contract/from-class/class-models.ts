// What is known of a class of arguments and of every class it reaches? Read anew for each tool: nothing is kept.
import type { JsonValue } from '../../json/json-value.ts';
import type { Declaration } from '../../metadata/declaration.ts';
import { readDeclaredClass, type DeclaredClass } from '../../metadata/declared-class.ts';
import type { ArgumentClass } from '../../metadata/declared-type.ts';
import { classesIn } from './argument-type.ts';
import { complainOfClass } from './class-complaints.ts';
import type { ClassModel, ClassModels, ContextField, FieldModel } from './class-model.ts';
import type { ComplaintBook } from './complaint-book.ts';
import { complainOfContextField } from './field-complaints.ts';
import { jsonOf, readFieldFacts } from './field-facts.ts';
import { fieldModel } from './field-model.ts';

/**
 * The models of the class and of all classes its fields name, in the order in which they are met. A tool may be made
 * with parameters and have no arguments; a class that is nothing but arguments may not.
 */
export function readClassModels(
  Root: ArgumentClass,
  rootIs: 'tool' | 'arguments',
  book: ComplaintBook,
): ClassModels {
  const models = new Map<ArgumentClass, ClassModel>();
  const waiting = [Root];
  for (let Class = waiting.shift(); Class !== undefined; Class = waiting.shift()) {
    if (models.has(Class)) continue;
    const model = readClassModel(Class, book);
    models.set(Class, model);
    if (Class !== Root || rootIs === 'arguments') complainOfNested(model, book);
    waiting.push(...model.fields.flatMap(({ type }) => classesIn(type)));
  }
  for (const model of models.values()) complainOfClass(model, models, book);
  return models;
}

function readClassModel(Class: ArgumentClass, book: ComplaintBook): ClassModel {
  const declared = readDeclaredClass(Class);
  const name = Class.name === '' ? 'a class without a name' : Class.name;
  const fields: FieldModel[] = [];
  const contextFields: ContextField[] = [];
  for (const field of declared.fields) {
    const complain = book.at(name, field.name);
    const facts = readFieldFacts(field.declarations, complain);
    if (facts.contextKey !== undefined) {
      complainOfContextField(field, facts, complain);
      contextFields.push({ name: field.name, key: facts.contextKey });
      continue;
    }
    const model = fieldModel(field, facts, complain);
    if (model !== undefined) fields.push(model);
  }
  tellMisplaced(declared, name, book);
  const members = new Set(declared.fields.map((field) => field.name));
  return { Class, name, members, fields, contextFields, ...classFacts(declared, name, book) };
}

function classFacts(declared: DeclaredClass, name: string, book: ComplaintBook) {
  const checks = declared.methods.flatMap(({ fact, member }) =>
    fact.about === 'check' && member !== undefined ? [member] : [],
  );
  return { checks, examples: examplesOf(declared.own, name, book), hints: hintsOf(declared.all) };
}

const hintsOf = (declarations: readonly Declaration[]): readonly string[] =>
  declarations.flatMap(({ fact }) => (fact.about === 'hint' ? [fact.text] : []));

const examplesOf = (own: readonly Declaration[], name: string, book: ComplaintBook): readonly JsonValue[] =>
  own.flatMap(({ fact }) => (fact.about === 'example' ? jsonOf('@Example', fact.value, book.at(name)) : []));

function tellMisplaced({ misplaced }: DeclaredClass, name: string, book: ComplaintBook): void {
  for (const { fact, member } of misplaced) {
    if (fact.about === 'complaint') book.at(name, member)(fact.what, fact.instead);
  }
}

function complainOfNested({ Class, name, members }: ClassModel, book: ComplaintBook): void {
  if (Class.length > 0) {
    book.at(name)(
      `has a constructor with ${Class.length} parameters, and arguments are made without any`,
      'give it a constructor without parameters',
    );
  }
  if (members.size === 0) {
    book.at(name)('declares no field that can be read', 'decorate its fields, as with @IsString()');
  }
}
