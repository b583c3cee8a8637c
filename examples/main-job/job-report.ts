// The results of the job, for the view and the expectations.
import type { RepairStatsSnapshot } from 'toolmend';
import type { PlayedCall } from './chat-history.ts';
import type { WorkspaceFiles } from './workspace.ts';

export interface JobReport {
  /** In the order of the script; `call.model` names the model. */
  readonly calls: readonly PlayedCall[];
  readonly stats: RepairStatsSnapshot;
  readonly files: WorkspaceFiles;
}
