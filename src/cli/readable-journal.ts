// The journal that a command reads.
import { ToolmendError } from '../errors/errors.ts';
import { openToRead } from '../journal/open-journal.ts';
import { printable } from '../json/preview.ts';
import type { Journal } from '../store/call-store.ts';
import { whyNoFile } from './report.ts';

export type JournalPlace = { readonly schema?: string } & (
  { readonly folder: string } | { readonly connectionString: string }
);

/** The journal, or why it can't be read. */
export async function readableJournal(place: JournalPlace): Promise<Journal | string> {
  if ('folder' in place && (await whyNoFile(`${place.folder}/PG_VERSION`)) !== undefined)
    return `there is no journal in ${printable(place.folder, 400)}`;
  // Never quoted: it may hold a password.
  if ('connectionString' in place && !connectionForm.test(place.connectionString))
    return "the journal's URL is no connection string: write one such as postgres://localhost/agent as --url, or in DATABASE_URL";
  return openToRead(place).catch(whyUnreadable);
}

/** What `pg` connects to: a URL, or the path of a socket. It takes any other word for a host. */
const connectionForm = /^(?:postgres(?:ql)?:\/\/|socket:|\/)/i;

/** Why a journal, or something in it, can't be read. */
export function whyUnreadable(error: unknown): string {
  const { message } = error instanceof Error ? error : new Error(String(error));
  const code = ToolmendError.isInstance(error)
    ? ''
    : String(Reflect.get(Object(error), 'code') ?? '');
  return `the journal can't be read: ${printable(message === '' ? code : message, 400)}`;
}
