/** Groups the selection, ungroups it, and moves components into and out of groups. */
import { listLinks } from '@/api/generated';
import {
  ancestorsOf,
  CONTAINS,
  GROUP_TYPE,
  outermost,
  withDescendants,
} from '@/core/containment/containment';
import { freeId } from '@/core/ids';
import { findFreePosition } from '@/core/layout/freePosition';
import { updateRow } from '@/core/model/edits';
import type { Model } from '@/core/model/model';
import { changedByParent, setParent } from '@/core/model/parents';
import { boundingBox, GRID_SIZE, NODE_SIZE, type Point, type Rect } from '@/core/scene/geometry';
import { EMPTY_GROUP_SIZE, groupBounds, type Placement } from '@/core/scene/scene';
import type { Operation } from '@/core/sync/operation';
import { formatCount } from '@/core/text';
import { currentModel } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { type ComponentDraft, useInteraction } from '../state/interaction';
import { currentScene } from '../state/scenes';
import { setSelection, useView } from '../state/view';
import { describeDrop } from './drop';
import { checkCanEdit, edit, relationship, rows, shiftedPositions, short } from './edits';
import { changedFrames, framesLeftEmpty, placementOperations, storeFrames } from './frames';
import { freePosition, isExpandedGroup, positionInCollapsed, rectOf } from './room';

/** Opens the editor of a new group around the selection. The group is created when it is named. */
export function startGroup(): void {
  if (!checkCanEdit()) return;
  const parts = outermost(currentScene().containment, useView.getState().selectedComponents);
  const bounds = boundingBox(parts.flatMap((id) => rectOf(id) ?? []));
  if (!bounds) return;
  const frame = groupBounds(bounds);
  const { x, y } = frame;
  useInteraction.setState({ draft: { at: { x, y }, parent: commonParent(parts), from: null, parts }, frame });
}

/** The innermost group that contains all components. */
function commonParent(ids: readonly string[]): string | null {
  const { containment } = currentScene();
  const [first = [], ...others] = ids.map((id) => ancestorsOf(containment, id));
  return first.find((group) => others.every((groups) => groups.includes(group))) ?? null;
}

/** Creates the group of a draft. Returns its ID. */
export function addGroup({ at: { x, y }, parent, parts = [] }: ComponentDraft, name: string): string {
  const id = freeId(name, (candidate) => rows().component.has(candidate));
  const taken = new Set<string>();
  const fields = { typeId: GROUP_TYPE, name: name.trim(), x, y };
  const frames = framesLeftEmpty(new Set(parts));
  // The group of the parts now contains the new group.
  if (parent !== null) frames.delete(parent);
  edit(`Group ${parts.length === 1 ? nameOf(parts[0] ?? '') : formatCount(parts.length, 'component')}`, [
    { op: 'create', kind: 'component', id, fields },
    ...setParent(rows(), parts, id, taken),
    ...(parent === null ? [] : [relationship(parent, id, CONTAINS, taken)]),
    ...storeFrames(rows(), frames),
  ]);
  setSelection([id]);
  return id;
}

/** The selected components that contain others. */
export function selectedGroups(): string[] {
  const { children } = currentScene().containment;
  return [...useView.getState().selectedComponents].filter((id) => children.has(id));
}

/**
 * Removes the parts of the selected groups from them. Components of type group without other content are deleted, others
 * are placed beside their former frame.
 */
export async function ungroup(): Promise<void> {
  const groups = new Set(selectedGroups());
  if (groups.size === 0 || !checkCanEdit()) return;
  const { workspaceId } = useWorkspace.getState();
  const linked = await groupsWithLinks(workspaceId, [...groups]);
  const model = currentModel();
  // The user may have left the workspace in the meantime.
  if (!model || useWorkspace.getState().workspaceId !== workspaceId) return;
  const { containment } = currentScene();
  const taken = new Set<string>();
  const released: string[] = [];
  const operations: Operation[] = [];
  const removed = [...groups].filter((id) => !linked.has(id) && isOnlyGroup(model, id));
  for (const id of groups) {
    const parent = ancestorsOf(containment, id).find((ancestor) => !groups.has(ancestor)) ?? null;
    const parts = containment.children.get(id) ?? [];
    operations.push(...setParent(rows(), parts, parent, taken));
    released.push(...parts.filter((part) => !removed.includes(part)));
    if (!removed.includes(id)) operations.push(...placedBeside(id, parent));
  }
  for (const id of removed) {
    const base = rows().component.get(id)?.revision ?? 0;
    operations.push({ op: 'delete', kind: 'component', id, base, fields: {} });
  }
  const [only = ''] = groups;
  edit(`Ungroup ${groups.size === 1 ? nameOf(only) : formatCount(groups.size, 'group')}`, operations);
  setSelection(released);
}

/** The groups that have links, or whose links cannot be loaded. */
async function groupsWithLinks(workspaceId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { serverRows } = useWorkspace.getState();
  const found = await Promise.all(
    ids.map(async (id) => {
      if (rows().component.get(id)?.typeId !== GROUP_TYPE || !serverRows?.component.has(id)) return [];
      const isLinked = await listLinks(workspaceId, id).then(
        ({ links }) => links.length > 0,
        () => true,
      );
      return isLinked ? [id] : [];
    }),
  );
  return new Set(found.flat());
}

/** Whether nothing is lost if the component is deleted after its parts have left. */
function isOnlyGroup(model: Model, id: string): boolean {
  const component = model.rows.component.get(id);
  const lines = [...(model.outgoing.get(id) ?? []), ...(model.incoming.get(id) ?? [])];
  return (
    component?.typeId === GROUP_TYPE &&
    !component.description &&
    Object.keys(component.properties).length === 0 &&
    !component.tags?.length &&
    !component.technology?.length &&
    lines.every(({ typeId }) => typeId === CONTAINS) &&
    !model.stakeholders.has(id) &&
    !model.processes.has(id)
  );
}

/** Moves a component without its parts above its former frame. */
function placedBeside(id: string, parent: string | null): Operation[] {
  const frame = rectOf(id);
  if (!frame) return [];
  const isFrame = rows().component.get(id)?.typeId === GROUP_TYPE;
  const size = isFrame ? EMPTY_GROUP_SIZE : NODE_SIZE;
  const preferred = { x: frame.x, y: frame.y - size.height - 2 * GRID_SIZE };
  const at = freePosition(parent, preferred, { size });
  return updateRow(rows(), 'component', id, {
    ...at,
    ...(isFrame ? { width: null, height: null } : {}),
  });
}

/** Makes components parts of a group, or of none, and moves them into its frame or out of it, in one edit. */
export function setPartOf(ids: Iterable<string>, parent: string | null): void {
  const changed = changedByParent(rows(), ids, parent);
  if (changed.length === 0 || !checkCanEdit()) return;
  const drop = { ids: new Set(changed), target: parent };
  edit(describeDrop(drop), [
    ...setParent(rows(), changed, parent),
    ...placementOperations(rows(), placedIn(parent, changed)),
    ...storeFrames(rows(), changedFrames(drop)),
  ]);
}

/** The positions of components and their contents in a group, or outside of all groups. */
function placedIn(parent: string | null, ids: readonly string[]): ReadonlyMap<string, Placement> {
  const except = withDescendants(currentScene().containment, ids);
  const rects = new Map(
    ids.flatMap((id): [string, Rect][] => {
      const row = rows().component.get(id);
      return row ? [[id, rectOf(id) ?? { x: row.x, y: row.y, ...NODE_SIZE }]] : [];
    }),
  );
  const positions = new Map<string, Placement>();
  for (const [id, at] of freePositionsIn(parent, rects, except)) {
    const { x, y } = rects.get(id) as Rect;
    for (const [part, place] of shiftedPositions([id], { x: at.x - x, y: at.y - y }))
      positions.set(part, place);
  }
  return positions;
}

/**
 * Free positions for rectangles in a group, or outside of all groups, near their current position. `except` are the
 * components that move.
 */
export function freePositionsIn(
  parent: string | null,
  rects: ReadonlyMap<string, Rect>,
  except: ReadonlySet<string>,
): Map<string, Point> {
  const start = parent === null ? null : contentStart(parent);
  const isHidden = parent !== null && rectOf(parent) === undefined;
  const taken: Rect[] = [];
  const positions = new Map<string, Point>();
  for (const [id, rect] of rects) {
    const at =
      isHidden || isCollapsed(parent)
        ? findFreePosition(start ?? rect, taken, { size: rect })
        : freePosition(parent, start ?? rect, { size: rect, except, taken });
    taken.push({ ...rect, ...at });
    positions.set(id, at);
  }
  return positions;
}

function isCollapsed(group: string | null): boolean {
  return group !== null && currentScene().containment.children.has(group) && !isExpandedGroup(group);
}

/** Where new parts of a group begin if it is not expanded; null if it is expanded. */
function contentStart(group: string): Point | null {
  if (isExpandedGroup(group)) return null;
  if (isCollapsed(group)) return positionInCollapsed(group);
  // The frame of a card that becomes a group begins where the card was.
  const place = rectOf(group) ?? currentScene().hidden.get(group) ?? { x: 0, y: 0 };
  const frame = groupBounds({ x: 0, y: 0, width: 0, height: 0 });
  return { x: place.x - frame.x, y: place.y - frame.y };
}

const nameOf = (id: string) => `“${short(rows().component.get(id)?.name ?? id)}”`;
