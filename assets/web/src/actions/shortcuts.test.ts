import { describe, expect, it } from 'vitest';
import { isPressed, type Press, showKeys } from './shortcuts';

const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...more,
});

describe('keys', () => {
  it('are those of the machine', () => {
    expect(isPressed('Mod+Z', press('z', { ctrlKey: true }), false)).toBe(true);
    expect(isPressed('Mod+Z', press('z', { metaKey: true }), false)).toBe(false);
    expect(isPressed('Mod+Z', press('z', { metaKey: true }), true)).toBe(true);
    expect(showKeys('Mod+Shift+Z', false)).toBe('Ctrl+Shift+Z');
    expect(showKeys('Mod+Shift+Z', true)).toBe('⌘⇧Z');
    expect(showKeys('Space', false)).toBe('Space');
  });

  it('need the modifiers that they name, and no others', () => {
    expect(isPressed('Mod+Z', press('Z', { ctrlKey: true, shiftKey: true }), false)).toBe(false);
    expect(isPressed('Mod+Shift+Z', press('Z', { ctrlKey: true, shiftKey: true }), false)).toBe(true);
    expect(isPressed('A', press('a', { ctrlKey: true }), false)).toBe(false);
    expect(isPressed('A', press('a'), false)).toBe(true);
    expect(isPressed('ArrowUp', press('ArrowUp', { shiftKey: true }), false)).toBe(false);
  });

  it('find signs and digits on any keyboard', () => {
    expect(isPressed('?', press('?', { shiftKey: true }), false)).toBe(true);
    expect(isPressed('/', press('/', { shiftKey: true, code: 'Digit7' }), false)).toBe(true);
    expect(isPressed('Shift+1', press('!', { shiftKey: true, code: 'Digit1' }), false)).toBe(true);
    expect(isPressed('Shift+1', press('1', { code: 'Digit1' }), false)).toBe(false);
    expect(isPressed('+', press('+', { shiftKey: true }), false)).toBe(true);
    expect(isPressed('Mod++', press('+', { ctrlKey: true }), false)).toBe(true);
    expect(isPressed('Space', press(' '), false)).toBe(true);
  });
});
