// What does one source file import, export and contain? Asked of the syntax tree, so comments and strings don't count.
import { parseSync, Visitor } from 'oxc-parser';
import type { ParamPattern, ParseResult } from 'oxc-parser';
import type { FunctionSize, ModuleImport, SourceModule } from './source-module.ts';

interface Contents {
  readonly imports: ModuleImport[];
  readonly functions: FunctionSize[];
  readonly jsonParseLines: number[];
}

type LineAt = (offset: number) => number;

/** Parses one file; what the parser refuses is in `errors`, never thrown. */
export function parseModule(path: string, text: string): SourceModule {
  const parsed = parseSync(path, text, { lang: 'ts' });
  const lineAt: LineAt = (offset) => text.slice(0, offset).split('\n').length;
  const contents = readContents(parsed, lineAt);
  const exported = parsed.module.staticExports.flatMap(({ entries }) => entries);
  const passing = exported.flatMap(({ moduleRequest, exportName }) =>
    moduleRequest === null ? [] : [{ from: moduleRequest.value, whole: exportName.name === null }],
  );
  return {
    path,
    lines: text.trimEnd().split('\n').length,
    imports: [...readStaticImports(parsed, lineAt), ...contents.imports],
    exportedValues: exported.filter(({ isType }) => !isType).length,
    passedOn: passing.map(({ from }) => from),
    passedOnWhole: passing.filter(({ whole }) => whole).map(({ from }) => from),
    functions: contents.functions,
    jsonParseLines: contents.jsonParseLines,
    silencedLines: parsed.comments
      .filter(({ value }) => /\b(ox|es)lint-disable/.test(value) && !/ -- \S/.test(value))
      .map(({ start }) => lineAt(start)),
    errors: parsed.errors.map(({ message }) => message),
  };
}

function readStaticImports({ module }: ParseResult, lineAt: LineAt): ModuleImport[] {
  const imported = module.staticImports.map(({ start, moduleRequest, entries }) => ({
    line: lineAt(start),
    specifier: moduleRequest.value,
    names: entries.flatMap(({ importName }) => importName.name ?? []),
  }));
  const reexported = module.staticExports.flatMap(({ start, entries }) =>
    entries.flatMap(({ moduleRequest, importName }) =>
      moduleRequest === null
        ? []
        : [{ line: lineAt(start), specifier: moduleRequest.value, names: [importName.name ?? '*'] }],
    ),
  );
  return [...imported, ...reexported];
}

function readContents({ program }: ParseResult, lineAt: LineAt): Contents {
  const contents: Contents = { imports: [], functions: [], jsonParseLines: [] };
  const addImport = (offset: number, source: { readonly type: string; readonly value?: unknown }): void => {
    const specifier = typeof source.value === 'string' ? source.value : undefined;
    contents.imports.push({ line: lineAt(offset), specifier, names: [] });
  };
  const addFunction = (node: { start: number; end: number; params: readonly ParamPattern[] }): void => {
    const line = lineAt(node.start);
    contents.functions.push({
      line,
      lines: lineAt(node.end) - line + 1,
      parameters: node.params.length,
    });
  };
  new Visitor({
    ImportExpression: ({ start, source }) => addImport(start, source),
    TSImportType: ({ start, source }) => addImport(start, source),
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: addFunction,
    MemberExpression({ start, object, property }) {
      const name =
        property.type === 'Literal' ? property.value : property.type === 'Identifier' ? property.name : '';
      if (isJsonGlobal(object) && name === 'parse') contents.jsonParseLines.push(lineAt(start));
    },
    VariableDeclarator({ start, id, init }) {
      if (id.type === 'ObjectPattern' && isJsonGlobal(init)) contents.jsonParseLines.push(lineAt(start));
    },
  }).visit(program);
  return contents;
}

const isJsonGlobal = (node: { readonly type: string; readonly name?: unknown } | null): boolean =>
  node?.type === 'Identifier' && node.name === 'JSON';
