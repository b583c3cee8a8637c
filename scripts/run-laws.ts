// `npm run laws`: does every law hold in many runs?
import { lawsCommand } from '../test/laws/laws-command.ts';

process.exitCode = await lawsCommand(process.argv.slice(2), console.log);
