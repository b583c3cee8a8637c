// What is known of one class, its fields and the methods and words that go with them?
import type { JsonValue } from '../../json/json-value.ts';
import type { Declaration } from '../../metadata/declaration.ts';
import { readDeclaredClass, type DeclaredClass } from '../../metadata/declared-class.ts';
import type { ArgumentClass } from '../../metadata/declared-type.ts';
import type { ComplaintBook } from '../complaint-book.ts';
import type { ClassModel, ContextField, FieldModel } from './class-model.ts';
import { complainOfContextField } from './field-complaints.ts';
import { jsonOf, readFieldFacts } from './field-facts.ts';
import { fieldModel } from './field-model.ts';

/** The class's own model; what is wrong with it is written into the book. */
export function readClassModel(Class: ArgumentClass, book: ComplaintBook): ClassModel {
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
