/** Keeps selection, place and zoom in the address, so that it can be sent to somebody, or opened again. */
import { useEffect } from 'react';
import { parseImpactQuery } from '@/core/impact/question';
import { boundingBox, center, NODE_SIZE, type Rect } from '@/core/scene/geometry';
import { densestArea } from '@/core/scene/initialView';
import { formatMapQuery, type MapQuery, parseMapQuery } from '@/core/scene/urlQuery';
import { isNarrow } from '@/ui/breakpoints';
import { showToast } from '@/ui/Toasts';
import { useWorkspace } from '@/workspace/store';
import {
  centerViewport,
  expandAncestors,
  fitViewport,
  MAX_ZOOM,
  MIN_ZOOM,
  revealAgain,
  setViewport,
  uncoveredArea,
  useCamera,
  type Viewport,
} from './camera';
import { currentRects, currentScene } from './scenes';
import { setSelection, useView } from './view';

/** Browsers refuse addresses that change too often. */
const WRITE_DELAY_MS = 350;

export function useMapUrl(): void {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const isMeasured = useCamera((shown) => shown.width > 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another workspace has another address
  useEffect(() => {
    if (!isMeasured) return;
    const asked = parseMapQuery(location.search);
    applySelection(asked);
    // As long as nobody has looked elsewhere, what was asked for stays in the middle, whatever opens beside the map.
    let arrived: Viewport | null = applyViewport(asked);
    // What is asked of the map, and told later than the map is there.
    let awaitsLight = hasOverlayQuery(location.search);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const path = location.pathname;
    const write = () => {
      timer = undefined;
      if (location.pathname !== path) return;
      const { selectedComponents, selectedRelationships } = useView.getState();
      const query = formatMapQuery(location.search, {
        componentIds: [...selectedComponents],
        relationshipIds: [...selectedRelationships],
        at: arrived ? asked.at : currentCenter(),
      });
      // Past the router: nothing that it shows depends on this, and every subscriber would be asked.
      const target = query ? `${path}?${query}` : path;
      if (target !== `${path}${location.search}`) {
        History.prototype.replaceState.call(history, history.state, '', target);
      }
    };
    const later = () => {
      timer ??= setTimeout(write, WRITE_DELAY_MS);
    };
    const stops = [
      useCamera.subscribe((now, before) => {
        const isResized = now.width !== before.width || now.height !== before.height;
        if (isResized && arrived && before.viewport === arrived) {
          // Of what this changes, it is asked once more.
          arrived = now.viewport;
          arrived = applyViewport(asked);
          revealAgain();
        } else if (now.viewport !== before.viewport && !isApplying) {
          arrived = null;
          later();
        }
      }),
      useView.subscribe((now, before) => {
        const isSame =
          now.selectedComponents === before.selectedComponents &&
          now.selectedRelationships === before.selectedRelationships;
        if (!isSame) later();
        if (awaitsLight && now.highlight) {
          awaitsLight = false;
          if (arrived) arrived = applyViewport(asked);
        }
      }),
    ];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [workspaceId, isMeasured]);
}

/** Whether an address asks for a comparison, or about dependencies. A process that plays leads through the map itself. */
function hasOverlayQuery(search: string): boolean {
  const query = new URLSearchParams(search);
  return !query.has('process') && (query.has('since') || parseImpactQuery(search) !== null);
}

function currentCenter() {
  const { viewport, width, height } = useCamera.getState();
  const { x, y, zoom } = viewport;
  return { x: (width / 2 - x) / zoom, y: (height / 2 - y) / zoom, zoom };
}

const MISSING =
  'Some items in this link no longer exist. If they were deleted, you can restore them from the history.';

/** Selects what the address names, as far as it is there, and says so where it is not. */
function applySelection({ componentIds, relationshipIds }: MapQuery): void {
  const { rows } = useWorkspace.getState();
  const { selectedComponents, selectedRelationships } = useView.getState();
  // Where it names nothing, what was selected on another screen stays so.
  const isSilent = componentIds.length + relationshipIds.length === 0;
  const isMissing =
    componentIds.some((id) => !rows?.component.has(id)) ||
    relationshipIds.some((id) => !rows?.relationship.has(id));
  if (rows && isMissing) showToast(MISSING);
  setSelection(
    [...(isSilent ? selectedComponents : componentIds)].filter((id) => rows?.component.has(id)),
    [...(isSilent ? selectedRelationships : relationshipIds)].filter((id) => rows?.relationship.has(id)),
  );
}

let isApplying = false;
const MIN_READABLE_ZOOM = 0.8;
/** On a phone a map begins no smaller than so. */
const PHONE_ZOOM = 0.6;

/**
 * Looks where the address says: a place, else what it selects, else everything; on a phone no more of it than can be
 * read. Answers where that is.
 */
function applyViewport({ componentIds, relationshipIds, at }: MapQuery): Viewport {
  isApplying = true;
  const { width, height } = useCamera.getState();
  const room = uncoveredArea();
  if (at) {
    const zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, at.zoom));
    setViewport({ x: width / 2 - at.x * zoom, y: height / 2 - at.y * zoom, zoom }, true);
  } else {
    const { rows } = useWorkspace.getState();
    const ends = relationshipIds.flatMap((id) => {
      const line = rows?.relationship.get(id);
      return line ? [line.sourceId, line.targetId] : [];
    });
    const shown = [...componentIds, ...ends].filter((id) => rows?.component.has(id));
    for (const id of shown) expandAncestors(id);
    const { indexOf } = currentScene();
    const places = currentRects();
    const all = boundingBox(places);
    const whole = all ? fitViewport(all, room) : centerViewport({ x: 0, y: 0 }, room, 1);
    const rect = boundingBox(shown.flatMap((id) => places[indexOf.get(id) ?? -1] ?? []));
    // Of a large map, only so much that the names can be read.
    if (rect && whole.zoom < MIN_READABLE_ZOOM) setViewport(fitViewport(rect, room, MIN_READABLE_ZOOM), true);
    else setViewport((whole.zoom < PHONE_ZOOM && isNarrow() && phoneViewport(room)) || whole, true);
  }
  isApplying = false;
  return useCamera.getState().viewport;
}

/** So much of the map, or of what is lit on it, as is read without searching for it. */
function phoneViewport(room: Rect): Viewport | null {
  const highlighted = highlightedRects();
  const { nodes } = currentScene();
  const places =
    highlighted.length > 0 ? highlighted : currentRects().filter((_: Rect, at) => !nodes[at]?.isGroup);
  const part = densestArea(places, room.width / PHONE_ZOOM, room.height / PHONE_ZOOM);
  return part && centerViewport(center(part), room, PHONE_ZOOM);
}

/** Where what is lit stands, and what is gone stood. */
function highlightedRects(): Rect[] {
  const { highlight } = useView.getState();
  const { indexOf } = currentScene();
  const places = currentRects();
  const there = [...(highlight?.components.keys() ?? [])].flatMap(
    (id) => places[indexOf.get(id) ?? -1] ?? [],
  );
  return [...there, ...(highlight?.removed ?? []).map(({ x, y }) => ({ x, y, ...NODE_SIZE }))];
}
