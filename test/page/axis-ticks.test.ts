import { shareTicks } from '../../page/axis-ticks.ts';

test.each([
  [1, [0, 0.5, 1]],
  [0.736, [0, 0.2, 0.4, 0.6]],
  [0.4, [0, 0.1, 0.2, 0.3, 0.4]],
  [0.115, [0, 0.05, 0.1]],
  [0.0345, [0, 0.01, 0.02, 0.03]],
  [0.0007, [0, 0.0002, 0.0004, 0.0006]],
  [0, [0]],
])('an axis up to %d has the shares %j', (most, shares) => {
  expect(shareTicks(most)).toEqual(shares);
});
