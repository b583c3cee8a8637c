const mostTicks = 5;

/** The shares of an axis that begins at 0 and ends at `most`, as round percentages. */
export function shareTicks(most: number): readonly number[] {
  // A ten-thousandth is the finest: 0.01%.
  for (let decimals = 4; ; decimals -= 1) {
    for (const digit of [1, 2, 5]) {
      const unit = 10 ** decimals;
      const last = Math.floor((most * unit) / digit + 1e-9);
      if (last < mostTicks) return Array.from({ length: last + 1 }, (_, at) => (at * digit) / unit);
    }
  }
}
