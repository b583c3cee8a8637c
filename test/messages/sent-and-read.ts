import { type ArgumentOptions, interpretArguments } from 'toolmend';
import type { Schema } from '../schemas.ts';

/** What the model reads about a call; a string that says so if the call is not rejected. */
export function messageOf(
  schema: Schema,
  sent: unknown,
  options: ArgumentOptions = { tool: 'read_file' },
): string {
  const input = typeof sent === 'string' ? { text: sent } : { value: sent };
  const result = interpretArguments(schema, input, options);
  return result.status === 'rejected' ? result.message : `not rejected: ${JSON.stringify(result)}`;
}

/** The lines that name what is wrong. */
export const issueLines = (message: string): readonly string[] =>
  message.split('\n').filter((line) => line.startsWith('- '));
