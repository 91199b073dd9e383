/**
 * The routes of the displayed lines. Small maps are routed synchronously, large ones in a worker. While components are
 * dragged, and until the worker is done, affected lines are rerouted within a time budget per frame.
 */
import { useEffect } from 'react';
import { create } from 'zustand';
import type { RelationType } from '@/api/generated';
import { LiveRouter } from '@/core/route/live';
import {
  type LineRoutes,
  type LineStyle,
  lineRoutes,
  type NameOf,
  NO_ROUTES,
  pathsById,
  type RoutedMap,
  type RouteTask,
  routeMap,
  routeTask,
} from '@/core/route/mapRoutes';
import { sceneRouteInput } from '@/core/route/sceneInput';
import type { RouteInput, TrackPath } from '@/core/route/types';
import type { Point, Rect } from '@/core/scene/geometry';
import { memoizeLast } from '@/core/scene/memoize';
import type { Scene, SceneLine } from '@/core/scene/scene';
import { useCatalogue } from '@/data/queries';
import { currentModel } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { useInteraction } from './interaction';
import { useLineStyle } from './lineStyle';
import { committedRects, currentRects, currentScene, useRects } from './scenes';
import { loadPaths, storePaths } from './storedPaths';

/** Maximum number of lines to route synchronously. */
const MAX_IMMEDIATE_LINES = 100;
/** Routing time per frame. */
const FRAME_BUDGET_MS = 8;
/** If more components than this are moved, their lines are straight during the move. */
const MAX_LIVE_NODES = 100;

/** The inputs of routes and labels. */
interface RouteSource {
  scene: Scene;
  rects: readonly Rect[];
  style: LineStyle;
  nameOf: NameOf;
}

/** The routes of a map while nothing is moved. */
interface RoutesAtRest extends RouteSource {
  workspaceId: string;
  input: RouteInput;
  paths: ReadonlyMap<string, TrackPath>;
  routes: LineRoutes;
  /** Created on first use. */
  live: () => LiveRouter;
}

/** The committed routes, and the routes during a move. */
export interface ShownRoutes {
  atRest: LineRoutes;
  now: LineRoutes;
}

const NOTHING_SHOWN: ShownRoutes = { atRest: NO_ROUTES, now: NO_ROUTES };

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
  return rest ? shown(rest, currentScene(), currentRects()) : NOTHING_SHOWN;
}

/** The current routes. Updates when they change. */
export function useRoutes(): ShownRoutes {
  const rects = useRects();
  const style = useLineStyle(({ style }) => style);
  const preview = useInteraction((interaction) => interaction.preview);
  const { data: catalogue } = useCatalogue();
  useAnswers(({ count }) => count);
  const scene = currentScene();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the inputs of a routing task
  useEffect(requestRoutes, [scene, rects, style, preview, catalogue]);
  useEffect(() => {
    addEventListener('pagehide', storeShown);
    return () => removeEventListener('pagehide', storeShown);
  }, []);
  return currentRoutes();
}

function storeShown(): void {
  const { committed } = last;
  if (committed?.style === 'routed') storePaths(committed.workspaceId, committed.paths);
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
  if (scene.lines.length > MAX_IMMEDIATE_LINES) return known?.workspaceId === workspaceId() ? known : null;
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

function workspaceId(): string {
  return useWorkspace.getState().workspaceId;
}

/** The previous paths of lines: on the map, or before a reload. */
function previousPaths(): ReadonlyMap<string, TrackPath> {
  // After a preview is applied, its routes are kept.
  const known = last.preview ?? last.committed;
  return known?.workspaceId === workspaceId() ? known.paths : loadPaths(workspaceId());
}

function remember(source: RouteSource, input: RouteInput, routed: RoutedMap): RoutesAtRest {
  const { scene, style } = source;
  let live: LiveRouter | null = null;
  const before = previousPaths();
  const rest: RoutesAtRest = {
    ...source,
    workspaceId: workspaceId(),
    input,
    // Keep the previous paths while lines are straight, so that switching back restores them.
    paths: style === 'straight' ? before : pathsById(scene, routed),
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
  if (rest.workspaceId !== workspaceId() || rest.style !== style || rest.nameOf !== nameOf) return false;
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

function isSameRect(one: Rect, other: Rect | undefined): boolean {
  return one.x === other?.x && one.y === other.y && one.width === other.width && one.height === other.height;
}

/** The routes, with reroutes for lines affected by moved components. */
const shown = memoizeLast((rest: RoutesAtRest, scene: Scene, rects: readonly Rect[]): ShownRoutes => {
  const { routes } = rest;
  if (rest.scene.lines !== scene.lines) return { atRest: routes, now: stillValid(rest, scene, rects) };
  const moved = [...rects.keys()].filter((at) => !isSameRect(rects[at] as Rect, rest.rects[at]));
  return { atRest: routes, now: moved.length === 0 ? routes : routesAround(rest, scene, rects, moved) };
});

function routesAround(
  rest: RoutesAtRest,
  scene: Scene,
  rects: readonly Rect[],
  moved: readonly number[],
): LineRoutes {
  const points = new Map(rest.routes.points);
  const labels = new Map(rest.routes.labels);
  const affected = new Set<string>();
  for (const [at, route] of liveRoutes(rest, scene, rects, moved)) {
    const { id } = scene.lines[at] as SceneLine;
    affected.add(id);
    labels.delete(id);
    if (route) points.set(id, route);
    else points.delete(id);
  }
  return { ...rest.routes, points, labels, affected };
}

function liveRoutes(
  rest: RoutesAtRest,
  scene: Scene,
  rects: readonly Rect[],
  moved: readonly number[],
): ReadonlyMap<number, readonly Point[] | null> {
  if (rest.style === 'straight' || moved.length > MAX_LIVE_NODES) {
    const ends = new Set(moved);
    const attached = [...scene.lines.keys()].filter((at) => {
      const { from, to } = scene.lines[at] as SceneLine;
      return ends.has(from) || ends.has(to);
    });
    return new Map(attached.map((at) => [at, null]));
  }
  const end = performance.now() + FRAME_BUDGET_MS;
  const { nodes } = sceneRouteInput(scene, rects);
  return rest.live().route(nodes, moved, () => performance.now() > end);
}

/** The routes whose ends have not moved, after lines were added or removed. */
function stillValid(rest: RoutesAtRest, scene: Scene, rects: readonly Rect[]): LineRoutes {
  const before = new Map(rest.scene.lines.map((line) => [line.id, line]));
  const points = new Map<string, readonly Point[]>();
  const hasMoved = (now: number, then: number) => !isSameRect(rects[now] as Rect, rest.rects[then]);
  for (const { id, from, to } of scene.lines) {
    const line = before.get(id);
    const route = rest.routes.points.get(id);
    if (line && route && !hasMoved(from, line.from) && !hasMoved(to, line.to)) points.set(id, route);
  }
  return { ...rest.routes, points };
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
  const workspace = workspaceId();
  const task = taskOf(source);
  worker ??= new Worker(new URL('./routes.worker.ts', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<RoutedMap>) => {
    isBusy = false;
    if (slot === slotOf() && workspace === workspaceId()) {
      remember(source, task.input, data);
      useAnswers.setState(({ count }) => ({ count: count + 1 }));
    }
    if (isOutdated) requestRoutes();
  };
  worker.onerror = () => {
    // Lines stay straight. The next change starts a new worker.
    worker?.terminate();
    worker = null;
    isBusy = false;
  };
  worker.postMessage(task);
}
