// Preloaded into a program that is measured: answers each message with the bytes of its heap after
// a garbage collection.
process.on('message', () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage().heapUsed);
});
