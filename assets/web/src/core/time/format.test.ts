import { describe, expect, it } from 'vitest';
import { formatRelative } from './format';

const NOW = 1_790_000_000_000;

describe('a relative time', () => {
  it.each([
    [0, 'just now'],
    [-59_000, 'just now'],
    [5_000, 'just now'],
    [-60_000, '1 minute ago'],
    [-2 * 3_600_000, '2 hours ago'],
    [-86_400_000, 'yesterday'],
    [7 * 86_400_000, 'in 7 days'],
    [-400 * 86_400_000, 'last year'],
  ])('of %i ms is %s', (offset, words) => {
    expect(formatRelative(NOW + offset, NOW)).toBe(words);
  });
});
