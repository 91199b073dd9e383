/**
 * Routes of lines that have no route at rest: long lines of dense maps while they are selected or highlighted, and
 * highlighted messages between components without a relationship. Small maps route them synchronously, large ones in a
 * worker.
 */
import { useEffect } from 'react';
import { create } from 'zustand';
import { type ExtraRouteTask, shortestFirst } from '@/core/route/live';
import { isRoutable } from '@/core/route/route';
import type { RouteLine } from '@/core/route/types';
import type { Point } from '@/core/scene/geometry';
import { memoizeLast } from '@/core/scene/memoize';
import type { Scene } from '@/core/scene/scene';
import { useInteraction } from './interaction';
import type { ExtraRoute, RoutesAtRest } from './shownRoutes';
import { type Highlight, highlightLineId, useView } from './view';

/** Maximum number of lines to route, shortest first. */
const MAX_EXTRA_LINES = 150;
/** In larger maps, lines are routed in a worker. */
const MAX_SYNCHRONOUS_NODES = 150;

type ExtraRoutes = ReadonlyMap<string, ExtraRoute>;

const NONE: ExtraRoutes = new Map();

/** The lines to route, by the ID under which their routes are found. */
type WantedLines = ReadonlyMap<string, RouteLine>;

interface WorkerResult {
  rest: RoutesAtRest;
  wanted: WantedLines;
  routes: ExtraRoutes;
}

/** The last response of the worker. */
const useWorkerResult = create<{ result: WorkerResult | null }>()(() => ({ result: null }));

const wantedLines = memoizeLast(
  (
    rest: RoutesAtRest,
    scene: Scene,
    components: ReadonlySet<string>,
    relationships: ReadonlySet<string>,
    highlight: Highlight | null,
  ): WantedLines => {
    const wanted = new Map<string, RouteLine>();
    if (rest.style === 'straight') return wanted;
    for (const line of highlight?.lines ?? []) {
      const [from, to] = [scene.indexOf.get(line.from), scene.indexOf.get(line.to)];
      if (from === undefined || to === undefined || from === to) continue;
      wanted.set(highlightLineId(line), { from, to, typeId: '', hasLabel: true, lane: 0 });
    }
    const isOwn = scene.nodes.map(({ id }) => components.has(id));
    for (const [at, { id, ids, from, to }] of scene.lines.entries()) {
      const isLit = ids.some((one) => relationships.has(one) || highlight?.relationships.has(one));
      if (!isLit && !isOwn[from] && !isOwn[to]) continue;
      const line = rest.input.lines[at];
      const isSame = line?.from === from && line.to === to && rest.scene.lines[at]?.id === id;
      if (isSame && line.shape !== 'straight' && !isRoutable(rest.input, line)) wanted.set(id, line);
    }
    return new Map(shortestFirst(rest.input.nodes, [...wanted]).slice(0, MAX_EXTRA_LINES));
  },
);

function currentlyWanted(rest: RoutesAtRest, scene: Scene): WantedLines {
  const { selectedComponents, selectedRelationships, highlight } = useView.getState();
  return wantedLines(rest, scene, selectedComponents, selectedRelationships, highlight);
}

const isSmall = ({ input }: RoutesAtRest) => input.nodes.length <= MAX_SYNCHRONOUS_NODES;

const routedNow = memoizeLast((rest: RoutesAtRest, wanted: WantedLines): ExtraRoutes => {
  return byId(wanted, rest.live().routeLines([...wanted.values()]));
});

/** The routes of lines that have none at rest, as far as they are known. */
export function extraRoutes(rest: RoutesAtRest, scene: Scene): ExtraRoutes {
  const wanted = currentlyWanted(rest, scene);
  if (wanted.size === 0) return NONE;
  if (isSmall(rest)) return routedNow(rest, wanted);
  const { result } = useWorkerResult.getState();
  return result?.rest === rest && result.wanted === wanted ? result.routes : NONE;
}

function byId(wanted: WantedLines, routes: readonly (readonly Point[] | null)[]): ExtraRoutes {
  const found = new Map<string, ExtraRoute>();
  for (const [at, [id, { from, to }]] of [...wanted].entries()) {
    const points = routes[at];
    if (points) found.set(id, { ends: [from, to], points });
  }
  return found;
}

/** Requests the routes from the worker when the selection or the highlights change. */
export function useExtraRoutes(rest: RoutesAtRest | null, scene: Scene): void {
  useView((view) => view.selectedComponents);
  useView((view) => view.selectedRelationships);
  useView((view) => view.highlight);
  const isDragging = useInteraction((interaction) => interaction.moving !== null);
  const wanted = rest && !isDragging ? currentlyWanted(rest, scene) : null;
  useEffect(() => {
    if (rest && wanted && wanted.size > 0 && !isSmall(rest)) return requestRoutes(rest, wanted);
  }, [rest, wanted]);
}

/** Updates when the worker has responded. */
export function useExtraRouteResults(): void {
  useWorkerResult(({ result }) => result);
}

/** Starts a worker. Returns a function that stops it, because its result would be outdated. */
function requestRoutes(rest: RoutesAtRest, wanted: WantedLines): () => void {
  const worker = new Worker(new URL('./extraRoutes.worker.ts', import.meta.url), { type: 'module' });
  const { input, result } = rest;
  worker.onmessage = ({ data }: MessageEvent<readonly (readonly Point[] | null)[]>) => {
    worker.terminate();
    useWorkerResult.setState({ result: { rest, wanted, routes: byId(wanted, data) } });
  };
  const task: ExtraRouteTask = { input, rest: result, lines: [...wanted.values()] };
  worker.postMessage(task);
  return () => worker.terminate();
}
