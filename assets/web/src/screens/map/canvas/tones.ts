/** How what is lit looks: a colour, and a sign for those to whom colours say little. */
import type { Tone } from '../view';
import type { Ink } from './ink';

/** A sign, and what it says aloud. */
export const MARKS: Readonly<Record<Tone, { sign: string; name: string }>> = {
  current: { sign: '▶', name: 'in this step' },
  visited: { sign: '✓', name: 'visited' },
  added: { sign: '+', name: 'added' },
  changed: { sign: '~', name: 'changed' },
  removed: { sign: '−', name: 'removed' },
};

export function toneColour(tone: Tone, ink: Ink): string {
  const colours: Record<Tone, string> = {
    current: ink.accent,
    visited: ink.soft,
    added: ink.good,
    changed: ink.warn,
    removed: ink.alarm,
  };
  return colours[tone];
}
