/** The colors of a card as CSS, for both themes. */
import type { CSSProperties } from 'react';
import { type CardColors, cardColors } from '@/core/drawing/colors';

const styles = new Map<string, CSSProperties>();

/**
 * CSS custom properties with the card colors of a catalog or lens color, used on cards, in the legend and in tables.
 */
export function cardStyle(color: string): CSSProperties {
  const known = styles.get(color);
  if (known) return known;
  const [light, dark] = [cardColors(color, 'light'), cardColors(color, 'dark')];
  const both = (part: keyof CardColors) => `light-dark(${light[part]}, ${dark[part]})`;
  const made = {
    '--card-fill': both('fill'),
    '--card-edge': both('edge'),
    '--card-ink': both('ink'),
    '--card-soft': both('soft'),
  } as CSSProperties;
  if (styles.size > 1000) styles.clear();
  styles.set(color, made);
  return made;
}
