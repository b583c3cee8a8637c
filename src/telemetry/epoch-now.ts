// What time is it, finer than a millisecond?

const { timeOrigin } = performance;

/** Milliseconds since 1970, with fractions; never runs backwards. */
export const epochNow = (): number => timeOrigin + performance.now();
