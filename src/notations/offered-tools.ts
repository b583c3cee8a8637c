import type { RawTextMeaning, ReadCall } from './notation.ts';
import { isSameName, withoutNamespace } from './read-notation.ts';

/** A tool that a model may call, as far as reading its calls needs it. */
export interface OfferedTool {
  readonly name: string;
  /**
   * Whether a call has to stand where nothing else can be meant: what the tool does can't be
   * undone.
   */
  readonly isStrict: boolean;
  /** Whether the tool declares a key; undefined if its keys are unknown. */
  readonly isDeclared: ((key: string) => boolean) | undefined;
  /** The arguments that it declares. */
  readonly declaredKeys: ReadonlySet<string>;
  readonly rawText: RawTextMeaning;
  /**
   * The arguments that the tool gets for argument text, as JSON; undefined if it is refused.
   * `hasEdits`: the markup was read with edits, so that nothing may be dropped.
   */
  readonly accept: (text: string, hasEdits: boolean) => string | undefined;
  /**
   * The arguments in a broken object of a call with its name; undefined if there is no one reading.
   */
  readonly readCallObject: (text: string) => string | undefined;
}

/** A call of a tool, by the tool's own name. */
export interface NamedCall {
  readonly name: string;
  /** JSON text, which the model may have broken. */
  readonly arguments: string;
}

/** The tools that were offered to a model. */
export class OfferedTools {
  readonly names: readonly string[];
  readonly #tools: readonly OfferedTool[];
  readonly #toolsByName = new Map<string, OfferedTool | undefined>();
  readonly #anyName: RegExp | undefined;

  constructor(tools: readonly OfferedTool[]) {
    this.#tools = tools;
    this.names = tools.map(({ name }) => name);
    const foldedNames = this.names
      .map((name) => foldCase(name).replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`))
      .filter((name) => name !== '');
    this.#anyName = foldedNames.length === 0 ? undefined : new RegExp(foldedNames.join('|'), 'u');
  }

  /** The tool that has a name, or the only one that has another spelling of it. */
  find(calledName: string): OfferedTool | undefined {
    if (!this.#toolsByName.has(calledName)) {
      if (this.#toolsByName.size > 1000) this.#toolsByName.clear();
      this.#toolsByName.set(calledName, this.#toolSpelledAs(calledName));
    }
    return this.#toolsByName.get(calledName);
  }

  isTool = (name: string): boolean => this.find(name) !== undefined;

  isDeclared = (key: string, tool: string | undefined): boolean => {
    const offeredTool = tool === undefined ? undefined : this.find(tool);
    return offeredTool?.isDeclared === undefined ? false : offeredTool.isDeclared(key);
  };

  isList = (key: string, tool: string | undefined): boolean =>
    tool !== undefined && this.find(tool)?.rawText.isList(key) === true;

  /** Whether text may have the name of a tool in it, in any spelling. */
  mayName(text: string): boolean {
    return this.#anyName?.test(foldCase(text)) === true;
  }

  /** The name of the first tool that is written in a text as a word of its own. */
  nameIn(text: string): string | undefined {
    return this.names.find((name) => {
      const at = text.indexOf(name);
      const isWord = !/\w$/.test(text.slice(0, at)) && !/^\w/.test(text.slice(at + name.length));
      return name !== '' && at !== -1 && isWord;
    });
  }

  /** The tool of a call. */
  toolOf({ name }: ReadCall): OfferedTool | undefined {
    if (name === undefined) return undefined;
    return this.find(name) ?? this.find(name.replace(twice, '$1'));
  }

  #toolSpelledAs(calledName: string): OfferedTool | undefined {
    for (const spelling of [calledName, withoutNamespace(calledName)]) {
      const exact = this.#tools.find(({ name }) => name === spelling);
      if (exact !== undefined) return exact;
    }
    const [only, ...others] = this.#tools.filter(({ name }) => isSameName(calledName, name));
    return others.length === 0 ? only : undefined;
  }
}

/** A namespace that is named by its only tool. */
const twice = /^(.+)\.\1$/;

const foldCase = (text: string): string =>
  text.replaceAll(/[\s_.\-'"`\u2018\u2019\u201c\u201d]/gu, '').toLowerCase();
