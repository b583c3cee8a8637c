import { posix } from 'node:path';
import {
  type Comment,
  type ModuleExportName,
  type Span,
  type Statement,
  type TSInterfaceDeclaration,
  parseSync,
} from 'oxc-parser';
import { readProjectFile } from './read-documents.ts';

/** A public name of an entry, as its source declares it. */
export interface PublicName {
  readonly name: string;
  readonly kind: 'function' | 'class' | 'value' | 'type';
  /** In one line, without tags; empty if there is none. */
  readonly docstring: string;
}

export interface PublicOption {
  readonly name: string;
  readonly isRequired: boolean;
  readonly type: string;
  readonly docstring: string;
}

/** An interface whose properties are options. */
export interface OptionsType {
  readonly name: string;
  readonly docstring: string;
  /** Further options: `Omit<RegistryOptions, 'create'>`. */
  readonly extends: readonly string[];
  /** Own and inherited. */
  readonly options: readonly PublicOption[];
}

interface SourceFile {
  readonly text: string;
  readonly body: readonly Statement[];
  readonly comments: readonly Comment[];
}

const files = new Map<string, SourceFile>();

/** `path`: from the project's folder. */
function readSource(path: string): SourceFile {
  const known = files.get(path);
  if (known !== undefined) return known;
  const text = readProjectFile(path);
  const { program, comments } = parseSync(path, text);
  const file = { text, body: program.body, comments };
  files.set(path, file);
  return file;
}

/** The names that an entry exports, in their order. `entry`: its source file. */
export function publicNames(entry: string): readonly PublicName[] {
  return readSource(entry).body.flatMap((statement): readonly PublicName[] => {
    if (statement.type !== 'ExportNamedDeclaration') return [];
    const { source, specifiers } = statement;
    if (source === null) return namesIn(entry, [statement]);
    const path = posix.join(posix.dirname(entry), source.value);
    const declared = namesIn(path, readSource(path).body);
    return specifiers.map(({ local, exported }) => {
      const found = declared.filter(({ name }) => name === nameOf(local));
      if (found[0] === undefined) throw new Error(`${path} does not declare ${nameOf(local)}`);
      const documented = found.find(({ docstring }) => docstring !== '') ?? found[0];
      return { ...documented, name: nameOf(exported) };
    });
  });
}

const nameOf = (name: ModuleExportName): string => ('name' in name ? name.name : name.value);

const kinds: Readonly<Record<string, PublicName['kind']>> = {
  FunctionDeclaration: 'function',
  TSDeclareFunction: 'function',
  ClassDeclaration: 'class',
  TSInterfaceDeclaration: 'type',
  TSTypeAliasDeclaration: 'type',
  VariableDeclarator: 'value',
};

function namesIn(path: string, statements: readonly Statement[]): readonly PublicName[] {
  return statements.flatMap((statement): readonly PublicName[] => {
    if (statement.type !== 'ExportNamedDeclaration' || statement.declaration === null) return [];
    const { declaration } = statement;
    const [first] = declaration.type === 'ClassDeclaration' ? declaration.decorators : [];
    const docstring = docstringBefore(path, first ?? statement);
    const declared =
      declaration.type === 'VariableDeclaration'
        ? declaration.declarations
        : [{ ...declaration, init: undefined }];
    return declared.flatMap((one) => {
      const kind = one.init?.type === 'ArrowFunctionExpression' ? 'function' : kinds[one.type];
      const id = 'id' in one ? one.id : null;
      return kind !== undefined && id?.type === 'Identifier'
        ? [{ name: id.name, kind, docstring }]
        : [];
    });
  });
}

/**
 * The interfaces that a file checks as options, as `OptionKinds<Name>`; other types have no rows of
 * their own.
 */
export function optionsTypes(path: string): readonly OptionsType[] {
  const checked = [...readSource(path).text.matchAll(/: OptionKinds<(\w+)>/g)].map(
    ([, name = '']) => name,
  );
  return checked.flatMap((name) => {
    const home = importedFrom(path, name) ?? path;
    return interfacesIn(home)
      .filter(({ declaration }) => declaration.id.name === name)
      .map(({ declaration, statement }) => ({
        name,
        docstring: docstringBefore(home, statement),
        ...optionsOf(home, declaration),
      }));
  });
}

const interfacesIn = (path: string) =>
  readSource(path).body.flatMap((statement) => {
    const declaration =
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    return declaration?.type === 'TSInterfaceDeclaration' ? [{ statement, declaration }] : [];
  });

/** Own options, then those of interfaces that it extends by name. */
function optionsOf(
  path: string,
  declaration: TSInterfaceDeclaration,
): Pick<OptionsType, 'options' | 'extends'> {
  const sourceOf = ({ start, end }: Span): string =>
    oneLine(readSource(path).text.slice(start, end));
  const own = declaration.body.body.flatMap((member): readonly PublicOption[] => {
    if (!('key' in member) || member.key.type !== 'Identifier') return [];
    const type =
      member.type === 'TSPropertySignature' && member.typeAnnotation !== null
        ? sourceOf(member.typeAnnotation.typeAnnotation)
        : sourceOf(member).slice(member.key.name.length).replace(/;$/, '');
    const isRequired = !('optional' in member && member.optional);
    return [{ name: member.key.name, isRequired, type, docstring: docstringBefore(path, member) }];
  });
  const parents = declaration.extends.map((heritage) => {
    const name = heritage.expression.type === 'Identifier' ? heritage.expression.name : '';
    const home = importedFrom(path, name) ?? path;
    const parent = interfacesIn(home).find((other) => other.declaration.id.name === name);
    return parent === undefined
      ? { options: [], extends: [aliasIn(home, name) ?? withAliases(home, sourceOf(heritage))] }
      : optionsOf(home, parent.declaration);
  });
  return {
    options: [...own, ...parents.flatMap(({ options }) => options)],
    extends: parents.flatMap((parent) => parent.extends),
  };
}

const withAliases = (path: string, type: string): string =>
  type.replaceAll(/\b[A-Z]\w+/g, (name) => aliasIn(path, name)?.replace(/^\| /, '') ?? name);

/** The type that a name of a file stands for. */
function aliasIn(path: string, name: string): string | undefined {
  const { body, text } = readSource(path);
  const [alias] = body.flatMap((statement) => {
    const declaration =
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    return declaration?.type === 'TSTypeAliasDeclaration' && declaration.id.name === name
      ? [declaration.typeAnnotation]
      : [];
  });
  return alias === undefined ? undefined : oneLine(text.slice(alias.start, alias.end));
}

function importedFrom(path: string, name: string): string | undefined {
  const found = readSource(path).body.find(
    (statement) =>
      statement.type === 'ImportDeclaration' &&
      statement.specifiers.some(({ local }) => local.name === name),
  );
  return found?.type === 'ImportDeclaration'
    ? posix.join(posix.dirname(path), found.source.value)
    : undefined;
}

function docstringBefore(path: string, { start }: Span): string {
  const { text, comments } = readSource(path);
  const comment = comments.find(({ end }) => end <= start && text.slice(end, start).trim() === '');
  if (comment?.value.startsWith('*') !== true) return '';
  const [said = ''] = comment.value.slice(1).split(/^\s*\* @/m);
  return oneLine(said.replaceAll(/^\s*\* ?/gm, ''));
}

const oneLine = (text: string): string =>
  text.trim().replaceAll(/\s+/g, ' ').replaceAll('< ', '<').replaceAll(' >', '>');
