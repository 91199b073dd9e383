import { describe, expect, it } from 'vitest';
import { freeId, freeVariant, slug } from './ids';

describe('IDs', () => {
  it('keep letters of any script and remove other characters', () => {
    expect(slug('  Größe / 漢字 <b>!')).toBe('größe-漢字-b');
    expect(slug('???')).toBe('item');
    expect(slug('x'.repeat(10_000))).toHaveLength(100);
  });

  it('get a number if the ID is taken', () => {
    const taken = new Set(['web', 'web-2']);
    expect(freeId('Web', (id) => taken.has(id))).toBe('web-3');
  });

  it('respect the maximum length', () => {
    expect(freeVariant('x'.repeat(128), () => false, 120)).toHaveLength(128);
    expect(freeVariant('x'.repeat(128), (id) => id.length === 128, 120)).toBe(`${'x'.repeat(120)}-2`);
  });
});
