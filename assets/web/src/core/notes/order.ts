/** Changes the layers of notes. */
import type { Note } from '@/api/generated';
import { overlaps } from '../scene/geometry';
import type { PlacedNote } from './note';

export const MIN_LAYER = -1000;
export const MAX_LAYER = 1000;

export type LayerChange = 'forward' | 'backward' | 'front' | 'back';

/**
 * The new layers of notes by ID, without those that stay. Forward and backward pass the next note that overlaps, or
 * the components. `all` is in drawing order.
 */
export function changedLayers(
  all: readonly PlacedNote[],
  ids: ReadonlySet<string>,
  change: LayerChange,
): ReadonlyMap<string, number> {
  const moved = all.filter(({ note }) => ids.has(note.id));
  const others = all.filter(({ note }) => !ids.has(note.id));
  const result = new Map<string, number>();
  for (const one of moved) {
    const layer = clampLayer(newLayer(one, others, all, change));
    if (layer !== one.note.layer) result.set(one.note.id, layer);
  }
  return result;
}

function newLayer(
  one: PlacedNote,
  others: readonly PlacedNote[],
  all: readonly PlacedNote[],
  change: LayerChange,
): number {
  const { layer } = one.note;
  const layers = others.map(({ note }) => note.layer);
  if (change === 'front') return isOnTop(one, all) ? layer : Math.max(...layers, -1) + 1;
  if (change === 'back') return isAtBottom(one, all) ? layer : Math.min(...layers, 0) - 1;
  const place = all.indexOf(one);
  const touching = others.filter(({ rect }) => overlaps(rect, one.rect));
  if (change === 'forward') {
    const next = touching.find((other) => all.indexOf(other) > place)?.note;
    // The components are between the layers -1 and 0.
    if (layer < 0 && (!next || next.layer >= 0)) return 0;
    return next ? next.layer + 1 : layer;
  }
  const next = touching.findLast((other) => all.indexOf(other) < place)?.note;
  if (layer >= 0 && (!next || next.layer < 0)) return -1;
  return next ? next.layer - 1 : layer;
}

function isOnTop(one: PlacedNote, all: readonly PlacedNote[]): boolean {
  return all.at(-1) === one && one.note.layer >= 0;
}

function isAtBottom(one: PlacedNote, all: readonly PlacedNote[]): boolean {
  return all[0] === one && one.note.layer < 0;
}

export function clampLayer(layer: number): number {
  return Math.max(MIN_LAYER, Math.min(MAX_LAYER, Math.round(layer)));
}

/** Where a note is drawn, in words. */
export function describeLayer({ layer }: Pick<Note, 'layer'>): string {
  return layer < 0 ? 'Behind components' : 'In front of components';
}
