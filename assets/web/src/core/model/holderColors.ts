/** Colors of people and teams, stable by ID where possible. */
import type { Model } from './model';

/** Each color has a contrast of 3:1 on light and dark backgrounds. */
export const COLORS = [
  '#3b82c4',
  '#c2571a',
  '#3f8f4f',
  '#b8548f',
  '#8a7a1f',
  '#7c6bd6',
  '#1f9090',
  '#cf4f4f',
  '#5f8a3a',
  '#a060c0',
  '#9a7048',
  '#5b83a0',
] as const;

/** The color of each person and team with a role, by ID. */
export function holderColors(model: Model): ReadonlyMap<string, string> {
  const colors = new Map<string, string>();
  const taken = new Set<number>();
  for (const id of [...model.holdings.keys()].sort()) {
    let at = hash(id) % COLORS.length;
    // If there are more holders than colors, some share a color; labels and marks distinguish them.
    for (let tries = 0; taken.has(at) && tries < COLORS.length; tries++) at = (at + 1) % COLORS.length;
    taken.add(at);
    if (taken.size === COLORS.length) taken.clear();
    colors.set(id, COLORS[at] ?? COLORS[0]);
  }
  return colors;
}

function hash(text: string): number {
  let value = 7;
  for (let at = 0; at < text.length; at++) value = (value * 31 + text.charCodeAt(at)) >>> 0;
  return value;
}
