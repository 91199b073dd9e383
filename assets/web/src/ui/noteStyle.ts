/** The colors of a note as CSS, for both themes. */
import type { CSSProperties } from 'react';
import { type CardColors, noteColors } from '@/core/drawing/colors';

const styles = new Map<string, CSSProperties>();

/** CSS custom properties with the colors of a note. There are only a few colors. */
export function noteStyle(color: string): CSSProperties {
  const known = styles.get(color);
  if (known) return known;
  const [light, dark] = [noteColors(color, 'light'), noteColors(color, 'dark')];
  const both = (part: keyof CardColors) => `light-dark(${light[part]}, ${dark[part]})`;
  const made = {
    '--note-fill': both('fill'),
    '--note-edge': both('edge'),
    '--note-ink': both('ink'),
    '--note-soft': both('soft'),
  } as CSSProperties;
  styles.set(color, made);
  return made;
}
