/** Keeps the selection and the viewport in the URL, so that they can be shared and restored. */
import { useEffect, useRef } from 'react';
import { parseImpactQuery } from '@/core/impact/query';
import { boundingBox, center, type Point, type Rect } from '@/core/scene/geometry';
import { densestArea } from '@/core/scene/initialView';
import { formatMapQuery, type MapQuery, parseMapQuery } from '@/core/scene/urlQuery';
import { useCatalogue } from '@/data/queries';
import { showToast } from '@/ui/Toasts';
import { useWorkspace } from '@/workspace/store';
import { MAX_ZOOM, MIN_ZOOM, setViewport, useCamera, type Viewport } from './camera';
import { changeTemporarily } from './collapsed';
import { isDraftComparisonOpen } from './draftUrl';
import { centerViewport, expandAncestors, fitAll, fitViewport, repeatReveal, uncoveredArea } from './framing';
import { lastView, saveLastView } from './lastViews';
import { placedNote } from './notes';
import { mapKey } from './openView';
import { currentRects, currentScene, currentSizes } from './scenes';
import { setSelection, useView } from './view';

/** Browsers limit how often the URL can change. */
const WRITE_DELAY_MS = 350;
/** A new selection is written at once, up to this many times per period, so that a reload right after it keeps it. */
const MAX_IMMEDIATE_WRITES = 5;
const IMMEDIATE_PERIOD_MS = 3000;

export function useMapUrl(): void {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const isMeasured = useCamera((camera) => camera.width > 0);
  const { data: catalogue } = useCatalogue();
  const fitCards = useRef(() => {});
  // biome-ignore lint/correctness/useExhaustiveDependencies: each workspace has its own position
  useEffect(() => {
    if (!isMeasured) return;
    const requested = parseMapQuery(location.search);
    applySelection(requested);
    // Until the user interacts, keep the requested position centered while the page layout settles.
    let positioned: Viewport | null = applyViewport(requested);
    // Highlights requested by the URL can arrive after the map is shown.
    let awaitsHighlight = hasOverlayQuery(location.search);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const path = location.pathname;
    const map = mapKey();
    const write = () => {
      timer = undefined;
      if (location.pathname !== path) return;
      const query = currentMapQuery(positioned ? requested.at : currentCenter());
      // Bypass the router: no screen depends on these parameters, and all subscribers would be notified.
      if (!positioned) saveLastView(map, currentCenter());
      const target = query ? `${path}?${query}` : path;
      if (target !== `${path}${location.search}`) {
        History.prototype.replaceState.call(history, history.state, '', target);
      }
    };
    const scheduleWrite = () => {
      timer ??= setTimeout(write, WRITE_DELAY_MS);
    };
    let recentWrites: number[] = [];
    const writeSelection = () => {
      const now = performance.now();
      recentWrites = recentWrites.filter((time) => now - time < IMMEDIATE_PERIOD_MS);
      if (recentWrites.length >= MAX_IMMEDIATE_WRITES) return scheduleWrite();
      recentWrites.push(now);
      clearTimeout(timer);
      write();
    };
    let isSettling = true;
    const settle = () => {
      isSettling = false;
    };
    let sizes = currentSizes();
    fitCards.current = () => {
      const isUntouched = isSettling && useCamera.getState().viewport === positioned;
      if (!isUntouched || currentSizes() === sizes) return;
      sizes = currentSizes();
      positioned = applyViewport(requested);
    };
    const inputs = ['pointerdown', 'keydown', 'wheel'] as const;
    for (const name of inputs) window.addEventListener(name, settle, { capture: true, passive: true });
    const stops = [
      () => {
        for (const name of inputs) window.removeEventListener(name, settle, { capture: true });
      },
      useCamera.subscribe((now, before) => {
        const isResized = now.width !== before.width || now.height !== before.height;
        if (isResized && positioned && before.viewport === positioned) {
          positioned = now.viewport;
          if (!isSettling) return;
          positioned = applyViewport(requested);
          repeatReveal();
        } else if (now.viewport !== before.viewport && !isApplying) {
          positioned = null;
          scheduleWrite();
        }
      }),
      useView.subscribe((now, before) => {
        const isSame =
          now.selectedComponents === before.selectedComponents &&
          now.selectedRelationships === before.selectedRelationships &&
          now.selectedNotes === before.selectedNotes;
        if (!isSame) writeSelection();
        if (awaitsHighlight && now.highlight) {
          awaitsHighlight = false;
          if (positioned) positioned = applyViewport(requested);
        }
      }),
    ];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
      fitCards.current = () => {};
    };
  }, [workspaceId, isMeasured]);
  // Card sizes depend on the catalog, which can arrive after the map.
  useEffect(() => {
    if (catalogue) fitCards.current();
  }, [catalogue]);
}

/** The query of the URL with the current selection, and the current position by default. */
export function currentMapQuery(at: MapQuery['at'] = currentCenter()): string {
  const { selectedComponents, selectedRelationships, selectedNotes } = useView.getState();
  return formatMapQuery(location.search, {
    componentIds: [...selectedComponents],
    relationshipIds: [...selectedRelationships],
    noteIds: [...selectedNotes],
    at,
  });
}

/** Whether the URL requests a comparison or the impact view. Playback moves the map itself. */
function hasOverlayQuery(search: string): boolean {
  const query = new URLSearchParams(search);
  const isCompared = query.has('since') || isDraftComparisonOpen(search);
  return !query.has('process') && (isCompared || parseImpactQuery(search) !== null);
}

/** The viewport that centers a point of the map in the canvas. */
function viewportAt(at: Point & { zoom: number }): Viewport {
  const { width, height } = useCamera.getState();
  const zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, at.zoom));
  return { x: width / 2 - at.x * zoom, y: height / 2 - at.y * zoom, zoom };
}

function currentCenter() {
  const { viewport, width, height } = useCamera.getState();
  const { x, y, zoom } = viewport;
  return { x: (width / 2 - x) / zoom, y: (height / 2 - y) / zoom, zoom };
}

const MISSING =
  'Some items in this link no longer exist. If they were deleted, you can restore them from the history.';

/** Selects the items in the URL. Shows a message if some of them do not exist. */
function applySelection({ componentIds, relationshipIds, noteIds }: MapQuery): void {
  const { rows } = useWorkspace.getState();
  const { selectedComponents, selectedRelationships, selectedNotes } = useView.getState();
  // If the URL selects nothing, keep the selection of the previous screen.
  const isUnspecified = componentIds.length + relationshipIds.length + noteIds.length === 0;
  const isMissing =
    componentIds.some((id) => !rows?.component.has(id)) ||
    relationshipIds.some((id) => !rows?.relationship.has(id)) ||
    noteIds.some((id) => !rows?.note.has(id));
  if (rows && isMissing) showToast(MISSING);
  setSelection(
    [...(isUnspecified ? selectedComponents : componentIds)].filter((id) => rows?.component.has(id)),
    [...(isUnspecified ? selectedRelationships : relationshipIds)].filter((id) => rows?.relationship.has(id)),
    [...(isUnspecified ? selectedNotes : noteIds)].filter((id) => rows?.note.has(id)),
  );
}

let isApplying = false;
const MIN_READABLE_ZOOM = 0.8;
/** Minimum zoom when a map opens, at which names of components are at least 10 px. */
const MIN_OPENING_ZOOM = 0.56;
/** The zoom used when only a part of a large map is shown. */
const PART_ZOOM = 0.6;

/**
 * Applies the URL: the position, else the selection, else the whole map. If names would be unreadable, shows the last
 * view of the workspace, else the densest part of the map. Returns the viewport.
 */
function applyViewport({ componentIds, relationshipIds, noteIds, at }: MapQuery): Viewport {
  isApplying = true;
  const room = uncoveredArea();
  if (at) {
    setViewport(viewportAt(at), true);
  } else {
    const { rows } = useWorkspace.getState();
    const ends = relationshipIds.flatMap((id) => {
      const line = rows?.relationship.get(id);
      return line ? [line.sourceId, line.targetId] : [];
    });
    const targets = [...componentIds, ...ends].filter((id) => rows?.component.has(id));
    // A link does not change which groups are stored as collapsed.
    changeTemporarily(() => {
      for (const id of targets) expandAncestors(id);
    });
    const { indexOf } = currentScene();
    const places = currentRects();
    const whole = fitAll() ?? centerViewport({ x: 0, y: 0 }, room, 1);
    const notes = noteIds.flatMap((id) => placedNote(id)?.rect ?? []);
    const rect = boundingBox([...targets.flatMap((id) => places[indexOf.get(id) ?? -1] ?? []), ...notes]);
    // Of a large map, show only a part in which names are readable.
    if (rect && whole.zoom < MIN_READABLE_ZOOM) setViewport(fitViewport(rect, room, MIN_READABLE_ZOOM), true);
    else setViewport((whole.zoom < MIN_OPENING_ZOOM && readableViewport(room)) || whole, true);
  }
  isApplying = false;
  return useCamera.getState().viewport;
}

/**
 * The component whose impact is shown, or else the last view of the workspace, or the densest part of the map or of the
 * highlighted components.
 */
function readableViewport(room: Rect): Viewport | null {
  const start = impactStart();
  if (start) return centerViewport(center(start), room, PART_ZOOM);
  const highlighted = highlightedRects();
  const last = lastView(mapKey());
  if (last && last.zoom >= MIN_OPENING_ZOOM && highlighted.length === 0) return viewportAt(last);
  const { nodes } = currentScene();
  const places =
    highlighted.length > 0 ? highlighted : currentRects().filter((_: Rect, at) => !nodes[at]?.isGroup);
  const part = densestArea(places, room.width / PART_ZOOM, room.height / PART_ZOOM);
  return part && centerViewport(center(part), room, PART_ZOOM);
}

/** The position of the component whose impact is shown. */
function impactStart(): Rect | undefined {
  const { highlight } = useView.getState();
  const [id = ''] = [...(highlight?.components ?? [])].find(([, kind]) => kind === 'start') ?? [];
  return currentRects()[currentScene().indexOf.get(id) ?? -1];
}

/** The positions of highlighted and removed components. */
function highlightedRects(): Rect[] {
  const { highlight } = useView.getState();
  const { indexOf } = currentScene();
  const places = currentRects();
  const there = [...(highlight?.components.keys() ?? [])].flatMap(
    (id) => places[indexOf.get(id) ?? -1] ?? [],
  );
  return [...there, ...(highlight?.removed ?? [])];
}
