// Starts one process of the service, as a replica or a worker, and tells its parent when it is
// ready.
import { createApp } from './app.ts';

if (process.argv[2] === 'worker') {
  const worker = await createApp({ concurrency: 2 });
  await worker.init();
  process.send?.({ address: '' });
} else {
  const replica = await createApp();
  await replica.listen(0, '127.0.0.1');
  process.send?.({ address: await replica.getUrl() });
}
