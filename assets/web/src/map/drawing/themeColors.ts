/** The tokens of the look as a canvas needs them: colours worked out for the theme that is shown. */

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
  /** A colour of the catalogue as it can be seen on this paper. */
  lightened: (color: string) => string;
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

let known: ThemeColors | null = null;

/** The ink of now. */
export function themeColors(): ThemeColors {
  if (known) return known;
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
  known = { ...all, label, lightened: lightening(all.paper) } as unknown as ThemeColors;
  return known;
}

/** Calls back when the theme is another. Answers how to stop. */
export function onThemeColorsChange(changed: () => void): () => void {
  const again = () => {
    known = null;
    changed();
  };
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', again);
  const observer = new MutationObserver(again);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  void document.fonts.ready.then(changed);
  return () => {
    scheme.removeEventListener('change', again);
    observer.disconnect();
  };
}

/** On dark paper colours are drawn a third lighter. */
function lightening(paper: string): (color: string) => string {
  const light = (paper.match(/[\d.]+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
  if (light > 380) return (color) => color;
  const cache = new Map<string, string>();
  return (color) => {
    const known = cache.get(color);
    if (known) return known;
    const lighter = [1, 3, 5].map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16);
      return Math.round(part + (255 - part) / 3);
    });
    const made = lighter.some(Number.isNaN) ? color : `rgb(${lighter.join(' ')})`;
    cache.set(color, made);
    return made;
  };
}
