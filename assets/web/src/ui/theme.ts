/** The color theme: light, dark, or the system setting. */
import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'planroom.theme';
const listeners = new Set<() => void>();

/** The theme stored in this browser. */
function theme(): Theme {
  const stored = localStorage.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** The stored theme, as React state. */
export function useTheme(): Theme {
  return useSyncExternalStore(listen, theme);
}

/** Stores and applies a theme. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  applyTheme();
  for (const listener of listeners) listener();
}

/** Applies the stored theme. */
export function applyTheme(): void {
  const chosen = theme();
  if (chosen === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}

/** Also reacts to changes in other tabs. */
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
