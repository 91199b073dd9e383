/** Keyboard shortcuts, such as `Mod+Shift+Z`, `Delete`, `?` or `Shift+1`. `Mod` is Cmd on Mac and Ctrl elsewhere. */

/** The part of a keyboard event that shortcuts depend on. */
export interface KeyPress {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

export const IS_MAC = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Whether a keyboard event matches a shortcut. */
export function matchesShortcut(keys: string, press: KeyPress, isMac = IS_MAC): boolean {
  const { modifiers, key } = parseShortcut(keys);
  const mod = isMac ? press.metaKey : press.ctrlKey;
  const other = isMac ? press.ctrlKey : press.metaKey;
  if (mod !== modifiers.has('mod') || other !== modifiers.has('ctrl')) return false;
  if (press.altKey !== modifiers.has('alt')) return false;
  // For symbols such as `?`, ignore Shift, because whether it is needed depends on the keyboard layout.
  const isSign = key.length === 1 && !/[a-z0-9 ]/i.test(key);
  if (!isSign && press.shiftKey !== modifiers.has('shift')) return false;
  return isSame(key, press);
}

function isSame(key: string, press: KeyPress): boolean {
  // With Shift or Alt, digits and letters produce other characters, so compare the physical key.
  if (/^\d$/.test(key)) return press.code === `Digit${key}` || press.code === `Numpad${key}`;
  if (press.key.toLowerCase() === key.toLowerCase()) return true;
  return press.altKey && press.code === `Key${key.toUpperCase()}`;
}

/** The shortcut in the notation of this platform. */
export function formatShortcut(keys: string, isMac = IS_MAC): string {
  const { modifiers, key } = parseShortcut(keys);
  const names = isMac ? MAC : PLAIN;
  const shown = [
    ...ORDER.filter((modifier) => modifiers.has(modifier)).map((modifier) => names[modifier]),
    KEY_LABELS[key] ?? upper(key),
  ];
  return shown.join(isMac ? '' : '+');
}

/** The shortcut in the syntax of `aria-keyshortcuts`. */
export function ariaShortcut(keys: string, isMac = IS_MAC): string {
  return keys.replace('Mod', isMac ? 'Meta' : 'Control').replace('Space', ' ');
}

const ORDER = ['ctrl', 'mod', 'alt', 'shift'];
const PLAIN: Record<string, string> = { mod: 'Ctrl', ctrl: 'Win', alt: 'Alt', shift: 'Shift' };
const MAC: Record<string, string> = { mod: '⌘', ctrl: '⌃', alt: '⌥', shift: '⇧' };
const KEY_LABELS: Record<string, string> = {
  ' ': 'Space',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
};

function upper(key: string): string {
  return key.length === 1 ? key.toUpperCase() : key;
}

function parseShortcut(keys: string): { modifiers: ReadonlySet<string>; key: string } {
  // `+` can be the key itself, at the end.
  const parts = keys.endsWith('+') ? [...keys.slice(0, -1).split('+').filter(Boolean), '+'] : keys.split('+');
  const key = parts.at(-1) ?? '';
  return {
    modifiers: new Set(parts.slice(0, -1).map((part) => part.toLowerCase())),
    key: key === 'Space' ? ' ' : key,
  };
}
