/**
 * Playback controls, set by the playback bar while it is mounted, and used by shortcuts, the command palette and the
 * bar.
 */
import { create } from 'zustand';

export interface PlaybackControls {
  next(): void;
  previous(): void;
  first(): void;
  last(): void;
  toggle(): void;
  leave(): void;
}

interface Playback {
  controls: PlaybackControls | null;
  /** While a process plays, the time in milliseconds in which a message moves along its line; otherwise null. */
  messageTime: number | null;
}

export const usePlayback = create<Playback>()(() => ({ controls: null, messageTime: null }));

/** Handles a key. Returns whether it was handled. */
export function handlePlaybackKey(event: KeyboardEvent, controls: PlaybackControls): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || isOtherKeyTarget(event.target)) return false;
  const action = KEYS[event.key];
  if (!action) return false;
  // Space activates the focused button.
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

/** Whether the focused element handles keys itself. */
function isOtherKeyTarget(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"], [role="listbox"]',
    ) !== null
  );
}
