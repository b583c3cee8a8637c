// Takes a rationale, a time limit and an argument of its own from each call.
import { IsIn, IsOptional, IsString } from 'class-validator';
import {
  Describe,
  fromRecord,
  metaFields,
  requireMeta,
  type StandardMeta,
  standardMetaArguments,
  Tool,
  type ToolContext,
  ToolRegistry,
  toRecord,
} from 'toolmend';

class CallMeta {
  @IsString()
  @Describe('The ticket that this call is for.')
  ticket!: string; // to the model: _ticket, and required

  @IsOptional()
  @IsIn(['low', 'high'])
  priority?: 'low' | 'high';
}

@Tool({ description: 'Run a command.' })
class RunCommand {
  @IsString()
  command!: string;

  execute({ meta }: ToolContext<StandardMeta & CallMeta>): string {
    return `${this.command}, for ${meta.ticket}, in at most ${meta.timeout_seconds ?? 60} seconds`;
  }
}

const tools = new ToolRegistry({
  meta: [...requireMeta(standardMetaArguments, 'rationale'), ...metaFields(CallMeta)],
}).register(RunCommand);

console.log(Object.keys(tools.schemas()[0]?.inputSchema.properties ?? {}).join(', '));

const text = '{"command": "ls", "_rationale": "to see", "Ticket": "T-1", "timeout": "300"}';
const outcome = await tools.call({ id: 'call_1', name: 'run_command', arguments: text });
if (outcome.status === 'completed') {
  console.log(outcome.result);

  const record = toRecord(outcome); // plain JSON, to be stored
  console.log(record.arguments, record.meta);
  console.log(fromRecord(record).arguments); // the call, to be driven again
  console.log(tools.history(outcome).arguments); // the call, as the model sees it in its history
}
