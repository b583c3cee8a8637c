// Has a stream come to its end, or has somebody stopped it? The SDKs of OpenAI and Anthropic end one that was aborted without a
// word, and what was said until then must not run.

/** Rejects with what breaks the stream off, or with the reason of its abort. `add` gets each event. */
export async function readStream<Event>(
  stream: AsyncIterable<Event>,
  add: (event: Event) => unknown,
): Promise<void> {
  for await (const event of stream) add(event);
  abortOf(stream)?.throwIfAborted();
}

/** Of the SDKs' `controller`, which aborts with the request's own signal too. */
function abortOf(stream: object): AbortSignal | undefined {
  const controller: unknown = Reflect.get(stream, 'controller');
  return controller instanceof AbortController ? controller.signal : undefined;
}
