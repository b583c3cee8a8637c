// What does the architecture check know of one source file?

export interface SourceModule {
  /** Relative to src, with forward slashes: `json/json-value.ts`. */
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly ModuleImport[];
  /** Types are not counted: a union and its members belong in one file. */
  readonly exportedValues: number;
  /** Modules whose names are passed on, by `export … from` or by import and export. */
  readonly passedOn: readonly string[];
  /** Modules of which every name is passed on. */
  readonly passedOnWhole: readonly string[];
  readonly functions: readonly FunctionSize[];
  /** Lines on which `JSON.parse` is reached, in whatever spelling. */
  readonly jsonParseLines: readonly number[];
  /** Lines of comments that switch off a lint rule without `-- reason`. */
  readonly silencedLines: readonly number[];
  /** What the parser could not read. */
  readonly errors: readonly string[];
}

/** One import of any kind: static, type-only, re-export, `import()`, or an `import('…')` type. */
export interface ModuleImport {
  readonly line: number;
  /** As written; undefined where it is computed. */
  readonly specifier: string | undefined;
  /** Names taken from it, as the other module exports them. */
  readonly names: readonly string[];
}

export interface FunctionSize {
  readonly line: number;
  readonly lines: number;
  readonly parameters: number;
}
