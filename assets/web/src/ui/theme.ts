/** Light, dark, or as the system says. */
import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'planroom.theme';
const listeners = new Set<() => void>();

/** What was chosen in this browser. */
function theme(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

/** The same, wherever it is shown. */
export function useTheme(): Theme {
  return useSyncExternalStore(listen, theme);
}

/** Chooses, and shows it. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  applyTheme();
  for (const listener of listeners) listener();
}

/** Shows what was chosen. */
export function applyTheme(): void {
  const chosen = theme();
  if (chosen === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}

/** Another tab may choose, too. */
function listen(listener: () => void): () => void {
  const chosenElsewhere = ({ key }: StorageEvent) => {
    if (key !== KEY) return;
    applyTheme();
    listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', chosenElsewhere);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', chosenElsewhere);
  };
}
