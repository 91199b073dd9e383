/** Light, dark, or as the system says. */

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'planroom.theme';

/** What was chosen in this browser. */
export function theme(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

/** Chooses, and shows it. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  showTheme();
}

/** Shows what was chosen. */
export function showTheme(): void {
  const chosen = theme();
  if (chosen === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}
