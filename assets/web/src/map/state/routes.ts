/**
 * The routes of the displayed lines. Small maps are routed synchronously, large ones in a worker. While components are
 * dragged, and until the worker is done, affected lines are rerouted within a time budget per frame.
 */
import { useEffect } from 'react';
import { create } from 'zustand';
import type { RelationType } from '@/api/generated';
import { LiveRouter } from '@/core/route/live';
import {
  lineRoutes,
  type NameOf,
  NO_ROUTES,
  pathsById,
  type RoutedMap,
  type RouteTask,
  routeMap,
  routeTask,
} from '@/core/route/mapRoutes';
import type { RouteInput, TrackPath } from '@/core/route/types';
import type { Rect } from '@/core/scene/geometry';
import { memoizeLast } from '@/core/scene/memoize';
import type { Scene } from '@/core/scene/scene';
import { useCatalogue } from '@/data/queries';
import { currentModel } from '@/workspace/model';
import { whenStill } from './camera';
import { extraRoutes, useExtraRouteResults, useExtraRoutes } from './extraRoutes';
import { useInteraction } from './interaction';
import { useLineStyle } from './lineStyle';
import { mapKey } from './openView';
import { committedRects, currentRects, currentScene, useRects } from './scenes';
import {
  isSameRect,
  type RouteSource,
  type RoutesAtRest,
  type ShownRoutes,
  sceneWithDraft,
  shownRoutes,
} from './shownRoutes';
import { loadPaths, storePaths } from './storedPaths';
import { useView } from './view';

/** Maximum number of lines to route synchronously. */
const MAX_IMMEDIATE_LINES = 100;

/** The last routes of the current map, and of a layout preview. */
const last: { committed: RoutesAtRest | null; preview: RoutesAtRest | null } = {
  committed: null,
  preview: null,
};
/** Counts the responses of the worker. */
const useAnswers = create<{ count: number }>()(() => ({ count: 0 }));

const slotOf = () => (useInteraction.getState().preview ? 'preview' : 'committed');
const restingRects = () => (useInteraction.getState().preview ? currentRects() : committedRects());

export function currentRoutes(): ShownRoutes {
  const rest = routesAtRest();
  const scene = sceneWithDraft(currentScene(), useInteraction.getState().lineDraft);
  if (!rest) return { scene, atRest: NO_ROUTES, now: NO_ROUTES };
  return shownRoutes(rest, scene, currentRects(), extraRoutes(rest, currentScene()));
}

/** Requests routes when their inputs change. Called once. */
export function useRouting(): void {
  const rects = useRects();
  const style = useLineStyle(({ style }) => style);
  const preview = useInteraction((interaction) => interaction.preview);
  const { data: catalogue } = useCatalogue();
  useAnswers(({ count }) => count);
  const scene = currentScene();
  useExtraRoutes(routesAtRest(), scene);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the inputs of a routing task
  useEffect(() => {
    // In a separate task, because sending a large map to the worker takes a while.
    const timer = setTimeout(requestRoutes);
    return () => clearTimeout(timer);
  }, [scene, rects, style, preview, catalogue]);
  useEffect(() => {
    addEventListener('pagehide', storeShown);
    return () => removeEventListener('pagehide', storeShown);
  }, []);
}

/** The current routes. Updates when they change. */
export function useRoutes(): ShownRoutes {
  useRects();
  useLineStyle(({ style }) => style);
  useInteraction((interaction) => interaction.preview);
  useInteraction((interaction) => interaction.lineDraft);
  useCatalogue();
  useView((view) => view.selectedComponents);
  useView((view) => view.selectedRelationships);
  useView((view) => view.highlight);
  useExtraRouteResults();
  useAnswers(({ count }) => count);
  return currentRoutes();
}

function storeShown(): void {
  const { committed } = last;
  if (committed?.style === 'routed') storePaths(committed.mapKey, committed.paths);
}

/** The routes without moved components: up to date for small maps, otherwise the last computed ones. */
function routesAtRest(): RoutesAtRest | null {
  const scene = currentScene();
  const rects = restingRects();
  const slot = slotOf();
  const known = last[slot] ?? last.committed;
  if (known && isUpToDate(known, scene, rects)) {
    // The preview was canceled.
    if (slot === 'committed') last.preview = null;
    return known;
  }
  if (scene.lines.length > MAX_IMMEDIATE_LINES) return known?.mapKey === mapKey() ? known : null;
  const source = { scene, rects, ...routeOptions() };
  const task = taskOf(source);
  return remember(source, task.input, routeMap(task));
}

const namesOf = memoizeLast((types: readonly RelationType[]): NameOf => {
  const names = new Map(types.map(({ id, name }) => [id, name]));
  return (typeId) => names.get(typeId) ?? typeId;
});
const NO_TYPES: readonly RelationType[] = [];

/** The line style, and the names of relationship types for the labels of lines that represent several relationships. */
function routeOptions(): Pick<RouteSource, 'style' | 'nameOf'> {
  const nameOf = namesOf(currentModel()?.catalogue.relationTypes ?? NO_TYPES);
  return { style: useLineStyle.getState().style, nameOf };
}

function taskOf({ scene, rects, style, nameOf }: RouteSource): RouteTask {
  return routeTask(scene, rects, style, previousPaths(), nameOf);
}

/** The previous paths of lines: on the map, or before a reload. */
function previousPaths(): ReadonlyMap<string, TrackPath> {
  // After a preview is applied, its routes are kept.
  const known = last.preview ?? last.committed;
  return known?.mapKey === mapKey() ? known.paths : loadPaths(mapKey());
}

function remember(source: RouteSource, input: RouteInput, routed: RoutedMap): RoutesAtRest {
  const { scene, style } = source;
  let live: LiveRouter | null = null;
  const before = previousPaths();
  const rest: RoutesAtRest = {
    ...source,
    mapKey: mapKey(),
    input,
    result: { paths: routed.paths, points: routed.points, offsets: routed.offsets },
    // Keep the previous paths while lines are straight, so that switching back restores them.
    paths:
      style === 'straight' ? new Map([...before, ...pathsById(scene, routed)]) : pathsById(scene, routed),
    routes: lineRoutes(scene, input.nodes, routed, style),
    live: () => {
      live ??= new LiveRouter(input, routed);
      return live;
    },
  };
  last[slotOf()] = rest;
  if (slotOf() === 'committed') last.preview = null;
  return rest;
}

/** Whether all inputs of the routes are unchanged. */
function isUpToDate(rest: RoutesAtRest, scene: Scene, rects: readonly Rect[]): boolean {
  const { style, nameOf } = routeOptions();
  if (rest.mapKey !== mapKey() || rest.style !== style || rest.nameOf !== nameOf) return false;
  if (rest.scene === scene && rest.rects === rects) return true;
  const isSame =
    rest.scene.lines === scene.lines &&
    rest.scene.nodes.length === scene.nodes.length &&
    rects.every((rect, at) => isSameRect(rect, rest.rects[at])) &&
    scene.nodes.every(
      ({ isGroup, component }, at) => !isGroup || component.name === rest.scene.nodes[at]?.component.name,
    );
  if (isSame) Object.assign(rest, { scene, rects });
  return isSame;
}

let worker: Worker | null = null;
let isBusy = false;
let isOutdated = false;

/** Requests routes from the worker. If it is busy, the latest map is sent when it is done. */
function requestRoutes(): void {
  const scene = currentScene();
  const rects = restingRects();
  const known = last[slotOf()];
  if (scene.lines.length <= MAX_IMMEDIATE_LINES || (known && isUpToDate(known, scene, rects))) return;
  isOutdated = isBusy;
  if (isBusy) return;
  isBusy = true;
  const source = { scene, rects, ...routeOptions() };
  const slot = slotOf();
  const map = mapKey();
  const task = taskOf(source);
  worker ??= new Worker(new URL('./routes.worker.ts', import.meta.url), { type: 'module' });
  worker.onmessage = (message: MessageEvent<RoutedMap>) =>
    whenStill(() => {
      isBusy = false;
      if (slot === slotOf() && map === mapKey()) {
        const { live } = remember(source, task.input, message.data);
        useAnswers.setState(({ count }) => ({ count: count + 1 }));
        // Otherwise, it would be created in the first frame of a drag.
        setTimeout(live);
      }
      if (isOutdated) requestRoutes();
    });
  worker.onerror = () => {
    // Lines stay straight. The next change starts a new worker.
    worker?.terminate();
    worker = null;
    isBusy = false;
  };
  worker.postMessage(task);
}
