// Tests of a server of `sampleTools()`, over any transport, with the real client.
import type { Progress } from '@modelcontextprotocol/client';
import type { Connection, Era } from './connections.ts';

export function describeServedTools(
  transport: 'stdio' | 'HTTP',
  era: Era,
  connect: () => Promise<Connection>,
): void {
  describe(`over ${transport}, ${era}`, () => {
    let connection: Connection;
    beforeAll(async () => {
      connection = await connect();
    });
    afterAll(() => connection.close());

    const call = (name: string, sent: Record<string, unknown> = {}) =>
      connection.client.callTool({ name, arguments: sent });
    const text = (said: unknown) => ({ type: 'text', text: said });

    test('lists tools with annotations and schemas, without toolmend’s own keywords', async () => {
      const { tools } = await connection.client.listTools();
      const dropping = { readOnlyHint: false, destructiveHint: true };
      expect(tools).toMatchObject([
        {
          name: 'read_files',
          annotations: { readOnlyHint: true },
          description: expect.stringMatching(/^Read text files\.\n.*JSON array/s),
        },
        { name: 'count_rows', outputSchema: { properties: { rows: { type: 'integer' } } } },
        { name: 'draw', annotations: { openWorldHint: false } },
        { name: 'drop_table', annotations: { ...dropping, idempotentHint: true } },
        { name: 'wait_for_abort' },
        { name: 'learn' },
      ]);
      expect(tools[4]?.annotations).toBeUndefined();
      expect(JSON.stringify(tools)).not.toContain('x-toolmend');
    });

    test('answers calls with text, structured content, images and notes', async () => {
      const valid = await call('read_files', { paths: ['a'], offset: 2, limit: 1 });
      expect(valid).toMatchObject({ content: [text('a from 2')] });
      expect(valid.isError ?? false).toBe(false);
      expect(await call('Read-Files', { file: '["a","b"]', limit: '5' })).toMatchObject({
        content: [
          text('a and b from 0'),
          { ...text('offset was not sent; 0 was used.'), annotations: { audience: ['assistant'] } },
        ],
      });
      const counted = { structuredContent: { rows: 6 }, content: [text('{"rows":6}')] };
      expect(await call('count_rows', { table: 'orders' })).toMatchObject(counted);
      expect(await call('draw')).toMatchObject({
        content: [text('A point.'), { type: 'image', data: 'iVA=', mimeType: 'image/png' }],
        // Structured content of the old protocol is an object.
        structuredContent: era === 'legacy' ? { result: [1, 2] } : [1, 2],
      });
    });

    test('answers rejected and failed calls with an error, and hides exceptions', async () => {
      const error = (said: unknown) => ({ isError: true, content: [text(said)] });
      const rejected = expect.stringMatching(/^count_rows was not executed\.\n/);
      expect(await call('count_rows', { rows: 7 })).toMatchObject(error(rejected));
      expect(await call('drop_table', { table: 'orders' })).toMatchObject(
        error('orders is in use.'),
      );
      const exception = await call('drop_table', { table: 'secret' });
      const message = expect.stringMatching(
        /^drop_table failed with an internal error \(error \w+\)\.$/,
      );
      expect(exception).toMatchObject(error(message));
      expect(JSON.stringify(exception)).not.toContain('hunter2');
      const unknown = { code: -32602, message: expect.stringContaining('read_files') };
      await expect(call('read_folders')).rejects.toMatchObject(unknown);
    });

    test('reports progress, and cancels the tool', async () => {
      const { promise: half, resolve } = Promise.withResolvers<void>();
      const seen: Progress[] = [];
      const controller = new AbortController();
      const onprogress = (update: Progress): void => {
        seen.push(update);
        if (update.message === 'half') resolve();
      };
      const options = { onprogress, signal: controller.signal };
      const calling = connection.client.callTool({ name: 'wait_for_abort' }, options);
      const rejected = expect(calling).rejects.toThrow();
      await half;
      controller.abort();
      await rejected;
      const second = { progress: 5, total: 10, message: 'half' };
      expect(seen).toEqual([{ progress: 1, message: 'started' }, second]);
      await connection.heard?.('it was aborted');
    });

    test('announces a changed list', async () => {
      // The old protocol over HTTP has no announcements.
      if (transport === 'HTTP' && era === 'legacy') return;
      const { promise, resolve } = Promise.withResolvers<void>();
      connection.client.setNotificationHandler('notifications/tools/list_changed', () => resolve());
      if (era === 'modern') await connection.client.listen({ toolsListChanged: true });
      await call('learn');
      connection.toolsChanged?.();
      await promise;
      const { tools } = await connection.client.listTools(undefined, { cacheMode: 'refresh' });
      expect(tools.at(-1)?.name).toBe('learned');
    });
  });
}
