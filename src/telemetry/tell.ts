// How is a function called that only looks on? So that nothing which becomes of it reaches whoever calls.

/** Calls at once and doesn't wait; what the function throws or rejects with is dropped. */
export function tell(onlooker: () => unknown): void {
  void settled(onlooker);
}

async function settled(onlooker: () => unknown): Promise<void> {
  try {
    await onlooker();
  } catch {
    // Whoever looks on never changes what becomes of a call.
  }
}
