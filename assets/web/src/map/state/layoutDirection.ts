/** The direction of layered layouts, stored in this browser. */
import type { LayoutDirection } from '@/core/layout/layoutTask';

const KEY = 'planroom.layoutDirection';

export function layoutDirection(): LayoutDirection {
  return localStorage.getItem(KEY) === 'down' ? 'down' : 'right';
}

export function saveLayoutDirection(direction: LayoutDirection): void {
  if (direction === 'down') localStorage.setItem(KEY, direction);
  else localStorage.removeItem(KEY);
}
