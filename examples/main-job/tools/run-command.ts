// Runs a program in the workspace, without a shell, for a limited time.
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import {
  ArrayOf,
  Default,
  Describe,
  EnumOf,
  RecordOf,
  Tool,
  type ToolContext,
  ToolFailure,
} from 'toolmend';
import { type ProcessResult, runProcess } from '../run-process.ts';
import type { Workspace } from '../workspace.ts';

@Tool({
  description: 'Run a program in the workspace, without a shell.',
  // A program can do anything, so the tool is destructive.
  effects: 'destructive',
})
export class RunCommand {
  @EnumOf(['node', 'git', 'ls'])
  program!: 'node' | 'git' | 'ls';

  @ArrayOf(String)
  @Default([])
  @Describe('One element for each argument.')
  args!: string[];

  @IsOptional()
  @RecordOf(String)
  @Describe('Environment variables to set.')
  environment?: Record<string, string>;

  @IsInt()
  @Min(100)
  @Max(60_000)
  @Default(20_000)
  @Describe('Time limit in milliseconds.')
  timeout_ms!: number;

  constructor(private readonly workspace: Workspace) {}

  async execute({ signal }: ToolContext): Promise<ProcessResult> {
    const result = await runProcess(this.program, this.args, {
      folder: this.workspace.root,
      environment: this.environment ?? {},
      signal: AbortSignal.any([signal, AbortSignal.timeout(this.timeout_ms)]),
    });
    if (result !== 'stopped') return result;
    throw new ToolFailure(
      `${this.program} was stopped: it did not end within ${this.timeout_ms} ms.`,
    );
  }
}
