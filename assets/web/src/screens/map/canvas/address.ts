/** Keeps selection, place and zoom in the address, so that it can be sent to somebody, or opened again. */
import { useEffect } from 'react';
import { readQuestion } from '@/core/impact/question';
import { type MapAddress, readAddress, writeAddress } from '@/core/scene/address';
import { fullestPart } from '@/core/scene/first';
import { around, centre, NODE, type Rect } from '@/core/scene/geometry';
import { usePlan } from '@/plan/store';
import { say } from '@/ui/Toasts';
import { isNarrow } from '../panel/narrow';
import { select, useView } from '../view';
import {
  fitting,
  freeRoom,
  inMiddle,
  look,
  MAX_ZOOM,
  MIN_ZOOM,
  revealAgain,
  unfold,
  useCamera,
  type Viewport,
} from './camera';
import { currentPlaces, currentScene } from './scenes';

/** Browsers refuse addresses that change too often. */
const PAUSE = 350;

export function useAddress(): void {
  const workspaceId = usePlan((plan) => plan.workspaceId);
  const isMeasured = useCamera((shown) => shown.width > 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another workspace has another address
  useEffect(() => {
    if (!isMeasured) return;
    const asked = readAddress(location.search);
    choose(asked);
    // As long as nobody has looked elsewhere, what was asked for stays in the middle, whatever opens beside the map.
    let arrived: Viewport | null = arrive(asked);
    // What is asked of the map, and told later than the map is there.
    let awaitsLight = isAbout(location.search);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const path = location.pathname;
    const write = () => {
      timer = undefined;
      if (location.pathname !== path) return;
      const { selectedComponents, selectedRelationships } = useView.getState();
      const query = writeAddress(location.search, {
        componentIds: [...selectedComponents],
        relationshipIds: [...selectedRelationships],
        at: arrived ? asked.at : here(),
      });
      // Past the router: nothing that it shows depends on this, and every subscriber would be asked.
      const target = query ? `${path}?${query}` : path;
      if (target !== `${path}${location.search}`) {
        History.prototype.replaceState.call(history, history.state, '', target);
      }
    };
    const later = () => {
      timer ??= setTimeout(write, PAUSE);
    };
    const stops = [
      useCamera.subscribe((now, before) => {
        const isResized = now.width !== before.width || now.height !== before.height;
        if (isResized && arrived && before.viewport === arrived) {
          // Of what this changes, it is asked once more.
          arrived = now.viewport;
          arrived = arrive(asked);
          revealAgain();
        } else if (now.viewport !== before.viewport && !isArriving) {
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
          if (arrived) arrived = arrive(asked);
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
function isAbout(search: string): boolean {
  const query = new URLSearchParams(search);
  return !query.has('process') && (query.has('since') || readQuestion(search) !== null);
}

function here() {
  const { viewport, width, height } = useCamera.getState();
  const { x, y, zoom } = viewport;
  return { x: (width / 2 - x) / zoom, y: (height / 2 - y) / zoom, zoom };
}

const MISSING =
  'Some items in this link no longer exist. If they were deleted, you can restore them from the history.';

/** Selects what the address names, as far as it is there, and says so where it is not. */
function choose({ componentIds, relationshipIds }: MapAddress): void {
  const { rows } = usePlan.getState();
  const { selectedComponents, selectedRelationships } = useView.getState();
  // Where it names nothing, what was selected on another screen stays so.
  const isSilent = componentIds.length + relationshipIds.length === 0;
  const isMissing =
    componentIds.some((id) => !rows?.component.has(id)) ||
    relationshipIds.some((id) => !rows?.relationship.has(id));
  if (rows && isMissing) say(MISSING);
  select(
    [...(isSilent ? selectedComponents : componentIds)].filter((id) => rows?.component.has(id)),
    [...(isSilent ? selectedRelationships : relationshipIds)].filter((id) => rows?.relationship.has(id)),
  );
}

let isArriving = false;
const READABLE = 0.8;
/** On a phone a map begins no smaller than so. */
const BEGINNING = 0.6;

/**
 * Looks where the address says: a place, else what it selects, else everything; on a phone no more of it than can be
 * read. Answers where that is.
 */
function arrive({ componentIds, relationshipIds, at }: MapAddress): Viewport {
  isArriving = true;
  const { width, height } = useCamera.getState();
  const room = freeRoom();
  if (at) {
    const zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, at.zoom));
    look({ x: width / 2 - at.x * zoom, y: height / 2 - at.y * zoom, zoom }, true);
  } else {
    const { rows } = usePlan.getState();
    const ends = relationshipIds.flatMap((id) => {
      const line = rows?.relationship.get(id);
      return line ? [line.sourceId, line.targetId] : [];
    });
    const shown = [...componentIds, ...ends].filter((id) => rows?.component.has(id));
    for (const id of shown) unfold(id);
    const { indexOf } = currentScene();
    const places = currentPlaces();
    const all = around(places);
    const whole = all ? fitting(all, room) : inMiddle({ x: 0, y: 0 }, room, 1);
    const rect = around(shown.flatMap((id) => places[indexOf.get(id) ?? -1] ?? []));
    // Of a large map, only so much that the names can be read.
    if (rect && whole.zoom < READABLE) look(fitting(rect, room, READABLE), true);
    else look((whole.zoom < BEGINNING && isNarrow() && beginning(room)) || whole, true);
  }
  isArriving = false;
  return useCamera.getState().viewport;
}

/** So much of the map, or of what is lit on it, as is read without searching for it. */
function beginning(room: Rect): Viewport | null {
  const lit = litPlaces();
  const { nodes } = currentScene();
  const places = lit.length > 0 ? lit : currentPlaces().filter((_: Rect, at) => !nodes[at]?.isBox);
  const part = fullestPart(places, room.width / BEGINNING, room.height / BEGINNING);
  return part && inMiddle(centre(part), room, BEGINNING);
}

/** Where what is lit stands, and what is gone stood. */
function litPlaces(): Rect[] {
  const { highlight } = useView.getState();
  const { indexOf } = currentScene();
  const places = currentPlaces();
  const there = [...(highlight?.components.keys() ?? [])].flatMap(
    (id) => places[indexOf.get(id) ?? -1] ?? [],
  );
  return [...there, ...(highlight?.gone ?? []).map(({ x, y }) => ({ x, y, ...NODE }))];
}
