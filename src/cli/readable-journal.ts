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
  return openToRead(place).catch(whyUnreadable);
}

/** Why a journal, or something in it, can't be read. */
export function whyUnreadable(error: unknown): string {
  const { message } = error instanceof Error ? error : new Error(String(error));
  const code = ToolmendError.isInstance(error)
    ? ''
    : String(Reflect.get(Object(error), 'code') ?? '');
  return `the journal can't be read: ${printable(message === '' ? code : message, 400)}`;
}
