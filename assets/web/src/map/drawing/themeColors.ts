/** The color tokens for canvas drawing, computed for the current theme. */
import { type CardColors, cardColors, noteColors } from '@/core/drawing/colors';

export interface ThemeColors {
  paper: string;
  sheet: string;
  text: string;
  soft: string;
  line: string;
  strong: string;
  accent: string;
  wash: string;
  good: string;
  warn: string;
  alarm: string;
  label: string;
  /** A catalog color, adjusted to the background. */
  lightened: (color: string) => string;
  /** The colors of a card. */
  card: (color: string) => CardColors;
  /** The colors of a note. */
  note: (color: string) => CardColors;
}

const TOKENS = {
  paper: '--paper',
  sheet: '--sheet',
  text: '--ink',
  soft: '--ink-soft',
  line: '--line',
  strong: '--line-strong',
  accent: '--accent',
  wash: '--accent-wash',
  good: '--good',
  warn: '--warn',
  alarm: '--alarm',
} as const;

let current: ThemeColors | null = null;

/** The colors of the current theme. */
export function themeColors(): ThemeColors {
  if (current) return current;
  const probe = document.createElement('span');
  probe.style.display = 'none';
  document.body.append(probe);
  const colors = Object.entries(TOKENS).map(([name, token]) => {
    probe.style.color = `var(${token})`;
    return [name, getComputedStyle(probe).color];
  });
  const label = getComputedStyle(document.documentElement).getPropertyValue('--label');
  probe.remove();
  const all = Object.fromEntries(colors);
  const theme = isLight(all.paper) ? 'light' : 'dark';
  current = {
    ...all,
    label,
    lightened: lightenFor(all.paper),
    card: (color: string) => cardColors(color, theme),
    note: (color: string) => noteColors(color, theme),
  } as unknown as ThemeColors;
  return current;
}

/** Subscribes to theme changes. Returns a function that unsubscribes. */
export function onThemeColorsChange(changed: () => void): () => void {
  const reset = () => {
    current = null;
    changed();
  };
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', reset);
  const observer = new MutationObserver(reset);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  void document.fonts.ready.then(changed);
  return () => {
    scheme.removeEventListener('change', reset);
    observer.disconnect();
  };
}

function isLight(paper: string): boolean {
  const sum = (paper.match(/[\d.]+/g) ?? []).slice(0, 3).reduce((total, part) => total + Number(part), 0);
  return sum > 380;
}

/** Lightens colors by a third on dark backgrounds. */
function lightenFor(paper: string): (color: string) => string {
  if (isLight(paper)) return (color) => color;
  const cache = new Map<string, string>();
  return (color) => {
    const known = cache.get(color);
    if (known) return known;
    const lighter = [1, 3, 5].map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16);
      return Math.round(part + (255 - part) / 3);
    });
    const result = lighter.some(Number.isNaN) ? color : `rgb(${lighter.join(' ')})`;
    cache.set(color, result);
    return result;
  };
}
