import { describe, expect, it } from 'vitest';
import { formatValue } from './describe';

describe('values of fields', () => {
  it('are described in words', () => {
    expect(formatValue('line', null)).toBe('automatic');
    expect(formatValue('line', { shape: 'straight' })).toBe('straight');
    expect(formatValue('line', { via: [[120, 40]], shape: 'routed', labelPosition: 0.3 })).toBe(
      'routed, 1 waypoint (120, 40), label at 30%',
    );
    expect(formatValue('line', { via: Array.from({ length: 12 }, (_, at) => [at, 0]) })).toBe(
      '12 waypoints (0, 0), (1, 0), (2, 0), (3, 0) and more',
    );
    expect(formatValue('tags', ['pci', 'frontend'])).toBe('pci, frontend');
    expect(formatValue('tags', [])).toBe('(empty)');
    expect(formatValue('participants', { w: 'web', m: 'mail' })).toBe('w: web, m: mail');
    expect(formatValue('deletedAt', Date.UTC(2026, 10, 22, 12))).toMatch(/^Nov 2\d, 2026, /);
    expect([formatValue('name', ''), formatValue('width', 200), formatValue('name', 'A')]).toEqual([
      '(empty)',
      '200',
      'A',
    ]);
    expect(formatValue('properties.rack', { shelf: { number: 3 } })).toContain('"number": 3');
  });
});
