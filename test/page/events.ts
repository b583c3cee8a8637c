import type { ListedCall } from '../../src/page/page-data.ts';

export interface StreamedEvent {
  readonly event: string;
  readonly id: string;
  readonly data: { readonly calls?: readonly ListedCall[] };
}

export interface EventReader {
  next(): Promise<StreamedEvent>;
  close(): void;
}

/** Reads server-sent events as a browser does. */
export async function listenForEvents(url: URL, lastId?: string): Promise<EventReader> {
  const stop = new AbortController();
  const headers = lastId === undefined ? {} : { 'last-event-id': lastId };
  const { body } = await fetch(url, { headers, signal: stop.signal });
  if (body === null) throw new Error('no stream');
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end === -1) {
          const { value, done } = await reader.read();
          if (done) throw new Error('the stream has ended');
          text += value;
          continue;
        }
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        const fields = new Map(
          lines.map((line) => {
            const at = line.indexOf(':');
            return [line.slice(0, at), line.slice(at + 1).trim()];
          }),
        );
        const data = fields.get('data');
        if (data !== undefined)
          return {
            event: fields.get('event') ?? '',
            id: fields.get('id') ?? '',
            data: JSON.parse(data),
          };
      }
    },
    close: () => stop.abort(),
  };
}
