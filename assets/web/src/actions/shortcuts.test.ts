import { describe, expect, it } from 'vitest';
import { formatShortcut, type KeyPress, matchesShortcut } from './shortcuts';

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...more,
});

describe('shortcuts', () => {
  it('are formatted for the platform', () => {
    expect(matchesShortcut('Mod+Z', press('z', { ctrlKey: true }), false)).toBe(true);
    expect(matchesShortcut('Mod+Z', press('z', { metaKey: true }), false)).toBe(false);
    expect(matchesShortcut('Mod+Z', press('z', { metaKey: true }), true)).toBe(true);
    expect(formatShortcut('Mod+Shift+Z', false)).toBe('Ctrl+Shift+Z');
    expect(formatShortcut('Mod+Shift+Z', true)).toBe('⌘⇧Z');
    expect(formatShortcut('Space', false)).toBe('Space');
  });

  it('match only with exactly the given modifiers', () => {
    expect(matchesShortcut('Mod+Z', press('Z', { ctrlKey: true, shiftKey: true }), false)).toBe(false);
    expect(matchesShortcut('Mod+Shift+Z', press('Z', { ctrlKey: true, shiftKey: true }), false)).toBe(true);
    expect(matchesShortcut('A', press('a', { ctrlKey: true }), false)).toBe(false);
    expect(matchesShortcut('A', press('a'), false)).toBe(true);
    expect(matchesShortcut('ArrowUp', press('ArrowUp', { shiftKey: true }), false)).toBe(false);
  });

  it('match symbols and digits on any keyboard layout', () => {
    expect(matchesShortcut('?', press('?', { shiftKey: true }), false)).toBe(true);
    expect(matchesShortcut('/', press('/', { shiftKey: true, code: 'Digit7' }), false)).toBe(true);
    expect(matchesShortcut('Shift+1', press('!', { shiftKey: true, code: 'Digit1' }), false)).toBe(true);
    expect(matchesShortcut('Shift+1', press('1', { code: 'Digit1' }), false)).toBe(false);
    expect(matchesShortcut('+', press('+', { shiftKey: true }), false)).toBe(true);
    expect(matchesShortcut('Mod++', press('+', { ctrlKey: true }), false)).toBe(true);
    expect(matchesShortcut('Space', press(' '), false)).toBe(true);
  });
});
