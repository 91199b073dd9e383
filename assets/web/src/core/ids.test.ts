import { describe, expect, it } from 'vitest';
import { freeId, freeVariant, slug } from './ids';

describe('ids', () => {
  it('keeps letters of any script and nothing else', () => {
    expect(slug('  Größe / 漢字 <b>!')).toBe('größe-漢字-b');
    expect(slug('???')).toBe('item');
    expect(slug('x'.repeat(10_000))).toHaveLength(100);
  });

  it('adds a number if an id is taken', () => {
    const taken = new Set(['web', 'web-2']);
    expect(freeId('Web', (id) => taken.has(id))).toBe('web-3');
  });

  it('respects the maximum length', () => {
    expect(freeVariant('x'.repeat(128), () => false, 120)).toHaveLength(128);
    expect(freeVariant('x'.repeat(128), (id) => id.length === 128, 120)).toBe(`${'x'.repeat(120)}-2`);
  });
});
