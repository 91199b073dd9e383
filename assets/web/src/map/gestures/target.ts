/** What is at a point of the map: notes in front of the components, components, lines, and notes behind them. */

import type { Note } from '@/api/generated';
import { noteAt } from '@/core/notes/hits';
import { lineAt } from '@/core/route/lineHits';
import { visibleRoutes } from '@/core/route/mapRoutes';
import type { Point } from '@/core/scene/geometry';
import { nodeAt } from '@/core/scene/hitTest';
import type { SceneNode } from '@/core/scene/scene';
import { useCamera } from '../state/camera';
import { currentNotes } from '../state/notes';
import { currentRoutes } from '../state/routes';
import { currentRects, currentScene } from '../state/scenes';

/** Maximum distance of the pointer from a line in pixels. */
export const LINE_HIT_DISTANCE = 6;

export type MapTarget =
  | { kind: 'component'; node: SceneNode }
  | { kind: 'note'; note: Note }
  | { kind: 'line'; ids: readonly string[] };

/** The topmost item at a point of the map; null for empty space. `hasLines` is whether to look for lines. */
export function targetAt(point: Point, hasLines = true): MapTarget | null {
  const { zoom } = useCamera.getState().viewport;
  const notes = currentNotes();
  const front = noteAt(notes, point, zoom, false);
  if (front) return { kind: 'note', note: front.note };
  const node = nodeAt(currentScene(), currentRects(), point);
  if (node) return { kind: 'component', node };
  const ids = hasLines ? lineUnder(point) : null;
  if (ids) return { kind: 'line', ids };
  const behind = noteAt(notes, point, zoom, true);
  return behind ? { kind: 'note', note: behind.note } : null;
}

/** The relationships of the line at a point of the map. */
function lineUnder(point: Point): readonly string[] | null {
  const scene = currentScene();
  const { viewport, isOverview } = useCamera.getState();
  const routes = visibleRoutes(currentRoutes().now, scene, isOverview);
  return lineAt(scene, currentRects(), routes, point, LINE_HIT_DISTANCE / viewport.zoom);
}
