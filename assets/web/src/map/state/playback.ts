/** What can be done while a process plays; set by the bar as long as it is there. Keys, palette and bar all come here. */
import { create } from 'zustand';

export interface PlaybackControls {
  next(): void;
  previous(): void;
  first(): void;
  last(): void;
  toggle(): void;
  leave(): void;
}

export const usePlayback = create<{ controls: PlaybackControls | null }>()(() => ({ controls: null }));

/** Does what a key asks for. Answers whether it did anything. */
export function handlePlaybackKey(event: KeyboardEvent, controls: PlaybackControls): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || isOtherKeyTarget(event.target)) return false;
  const action = KEYS[event.key];
  if (!action) return false;
  // A button that has the focus is pressed by the space bar itself.
  if (event.key === ' ' && event.target instanceof Element && event.target.closest('button, a, summary')) {
    return false;
  }
  controls[action]();
  return true;
}

const KEYS: Readonly<Record<string, keyof PlaybackControls>> = {
  '.': 'next',
  ArrowRight: 'next',
  ',': 'previous',
  ArrowLeft: 'previous',
  Home: 'first',
  End: 'last',
  ' ': 'toggle',
  Escape: 'leave',
};

/** Whether a key is meant for something that takes keys itself. */
function isOtherKeyTarget(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"], [role="listbox"]',
    ) !== null
  );
}
