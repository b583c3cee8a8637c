// What can a decorator of ours say? One plain record each; nothing here is computed.
import type { DeclaredExecution } from './declared-execution.ts';
import type { ArgumentClass, DeclaredType } from './declared-type.ts';

/** One decorator, as it was written. */
export interface Declaration {
  /** For people: `@Describe`. */
  readonly decorator: string;
  readonly on: 'class' | 'field' | 'method' | 'elsewhere';
  /** The field's or method's name. */
  readonly member?: string;
  /** How many of class-validator's decorators the class already had: it gives the members their order. */
  readonly after: number;
  readonly fact: DeclaredFact;
}

export type DeclaredFact = FieldFact | MethodFact | ClassFact | ComplaintFact;

export type FieldFact =
  | { readonly about: 'field' }
  | { readonly about: 'type'; readonly type: DeclaredType }
  | { readonly about: 'description' | 'title' | 'hint'; readonly text: string }
  | { readonly about: 'path' | 'verbatim' | 'secret' | 'nullable' | 'unhinted' }
  | { readonly about: 'aliases'; readonly names: readonly string[] }
  | { readonly about: 'default' | 'example'; readonly value: unknown }
  | { readonly about: 'pair'; readonly partner: string; readonly value: unknown }
  | { readonly about: 'context'; readonly key: string };

export type MethodFact =
  | { readonly about: 'check' }
  | { readonly about: 'method'; readonly Arguments: ArgumentClass; readonly options: DeclaredTool };

export type ClassFact = { readonly about: 'tool'; readonly options: DeclaredTool };

/** A decorator that was used where it can't stand; told at registration, with all the others. */
export interface ComplaintFact {
  readonly about: 'complaint';
  readonly what: string;
  readonly instead: string;
}

/** What `@Tool` and `@ToolMethod` take. */
export interface DeclaredTool extends DeclaredExecution {
  /** Absent: the class's or method's name in snake case. */
  readonly name?: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /** A name for people. */
  readonly title?: string;
  /** How dangerous the tool is; it decides which repairs may act. */
  readonly effects?: 'read' | 'write' | 'destructive';
  /** Milliseconds a call may take. */
  readonly timeLimit?: number;
  /** Whether `ToolRegistry.select` takes the tool for this context. Default: it does. */
  readonly enabled?: (values: Readonly<Record<string, unknown>>) => boolean;
  /** Selections don't show the tool from the start; models find it by a search tool. Default: it is shown. */
  readonly deferred?: boolean;
  /** `drop`: undeclared keys are removed, recorded, and the model is told. Default: `refuse`. */
  readonly unknownArguments?: 'refuse' | 'drop';
  /** Default: `lossless` for destructive tools, else `all`. */
  readonly repair?: 'all' | 'lossless';
}
