// Files of results, for APIs that carry some types of them.
import type { EmbeddedFile, ResultFile } from '../outcomes/tool-result.ts';
import type { ToolMessage } from '../outcomes/tool-outcome.ts';
import { attempt } from '../collections/attempt.ts';
import { linkText, unshownFile } from '../messages/call-messages.ts';
import { bytesOf } from '../platform/base64.ts';

/** What the model reads in the place of a file that its API can't carry. */
export function fileText(file: ResultFile): string {
  if (file.kind === 'linked') return linkText(file);
  const { name = file.uri, mediaType, data } = file;
  return unshownFile({ name, mediaType, size: bytesOf(data).length });
}

/** The texts in the places of files, and the notes. For APIs that carry no files in results. */
export const notesWithFiles = ({ notes, files = [] }: ToolMessage): readonly string[] => [
  ...files.map(fileText),
  ...notes,
];

/** `text/csv` of `Text/CSV; charset=utf-8`. */
export const typeOf = ({ mediaType }: EmbeddedFile): string =>
  (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();

/** The text of a file whose type is one of text, if it is UTF-8. */
export const textOfFile = (file: EmbeddedFile): string | undefined =>
  typeOf(file).startsWith('text/')
    ? attempt(() => new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(file.data)))
    : undefined;

/** The names of extensions, which are the names of formats too, of documents that APIs read. */
const documentFormats: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  ['text/plain', 'txt'],
  ['text/markdown', 'md'],
  ['text/csv', 'csv'],
  ['text/html', 'html'],
  ['text/xml', 'xml'],
  ['application/xml', 'xml'],
  ['application/json', 'json'],
  ['application/msword', 'doc'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx'],
]);

/** Undefined for a type that isn't one of documents. */
export const documentFormat = (file: EmbeddedFile): string | undefined =>
  documentFormats.get(typeOf(file));

/** The name of the file, else the last part of its address, else one of its format. */
export const fileName = ({ name, uri = '' }: EmbeddedFile, format: string): string =>
  name ?? /([^/\\?#:]+)(?:[?#].*)?$/.exec(uri)?.[1] ?? `file.${format}`;
