// Shows the arguments of a call while the model writes them.
import { ToolCallCollector } from 'toolmend';

interface WriteFile {
  readonly path: string;
  readonly content: string;
  readonly overwrite: boolean;
}

const collector = new ToolCallCollector();
const pieces = ['{"path": "notes', '.md", "content": "# No', 'tes\\n", "overwrite": tr', 'ue}'];

collector.add({ index: 0, id: 'call_1', name: 'write_file' });
for (const piece of pieces) {
  collector.add({ index: 0, arguments: piece });
  const shown = collector.partial<WriteFile>();
  console.log(JSON.stringify([shown?.path, shown?.content, shown?.overwrite]));
}
// Only the whole call may run.
console.log(collector.end('tool_calls')[0]?.arguments);
