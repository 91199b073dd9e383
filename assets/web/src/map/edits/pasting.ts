/** Copies components and notes as text and pastes them, in the same or another workspace. */
import { listPeople, listRoles, listTeams } from '@/api/generated';
import { useSession } from '@/api/session';
import { CONTAINS, withDescendants } from '@/core/containment/containment';
import { freeId } from '@/core/ids';
import {
  type ClipboardContent,
  type CopiedGroup,
  type CopiedStakeholder,
  parseClipboard,
  pasteOffset,
} from '@/core/layout/clipboard';
import { holderOf } from '@/core/model/model';
import { newId } from '@/core/newId';
import { noteLabel } from '@/core/noteLabel';
import type { Point } from '@/core/scene/geometry';
import { lineLayout, shiftedLayout, storedLine } from '@/core/scene/lineLayout';
import { formatList } from '@/core/sync/describe';
import type { Operation } from '@/core/sync/operation';
import { formatCount } from '@/core/text';
import { queryClient, queryKeys } from '@/data/queries';
import { showError, showToast } from '@/ui/Toasts';
import { currentModel } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { visibleRect } from '../state/camera';
import { camera } from '../state/framing';
import { currentScene } from '../state/scenes';
import { setSelection, useView } from '../state/view';
import { withOwnImages } from './copiedImages';
import { copyLinks } from './copiedLinks';
import { type CopyRoom, roomForCopies } from './copyRoom';
import { checkCanEdit, edit, relationship, rows } from './edits';
import { movedItems } from './noteMoves';

/**
 * The selection with the contents of groups and frames, its relationships and stakeholders, as text; null if nothing is
 * selected.
 */
export function clipboardText(): string | null {
  const { component, relationship: lines, stakeholder, note } = rows();
  const { selectedComponents, selectedNotes } = useView.getState();
  const { roots, notes } = movedItems(selectedComponents, selectedNotes);
  const ids = withDescendants(currentScene().containment, roots);
  if (ids.size + notes.size === 0) return null;
  const clip: ClipboardContent = {
    planroom: 1,
    components: [...component.values()].filter(({ id }) => ids.has(id)),
    relationships: [...lines.values()].filter(
      ({ sourceId, targetId }) => ids.has(sourceId) && ids.has(targetId),
    ),
    notes: [...note.values()].filter(({ id }) => notes.has(id)),
    workspaceId: useWorkspace.getState().workspaceId,
    groups: groupsOf(ids),
    stakeholders: [...stakeholder.values()]
      .filter(({ componentId }) => ids.has(componentId))
      .map((one) => ({ componentId: one.componentId, linkType: one.linkType, ...holderOf(one) })),
  };
  return JSON.stringify(clip, null, 2);
}

/** The groups that contain copied components but are not copied themselves. */
function groupsOf(ids: ReadonlySet<string>): CopiedGroup[] {
  const { parent } = currentScene().containment;
  return [...ids].flatMap((componentId) => {
    const group = rows().component.get(parent.get(componentId) ?? '');
    return group && !ids.has(group.id) ? [{ componentId, id: group.id, name: group.name }] : [];
  });
}

/** Pastes clipboard text, by default into the visible area. Shows a message if the text is invalid. */
export async function paste(text: string, by?: Point, verb = 'Paste'): Promise<void> {
  if (!checkCanEdit()) return;
  const clip = parseClipboard(text);
  if (typeof clip === 'string') return showToast(clip);
  const { workspaceId } = useWorkspace.getState();
  try {
    const [stakeholders, notes] = await Promise.all([
      knownStakeholders(clip, workspaceId),
      withOwnImages(clip, workspaceId),
    ]);
    // The user may have left the workspace in the meantime.
    if (useWorkspace.getState().workspaceId !== workspaceId) return;
    const offset = by ?? pasteOffset(clip, { workspaceId, seen: visibleRect() });
    const copies = addCopies({ ...clip, stakeholders, notes }, offset, verb);
    const [first] = copies.values();
    if (first !== undefined) camera.reveal(first);
    if (clip.workspaceId !== undefined) await copyLinks(clip.workspaceId, copies);
  } catch (error) {
    showError(error);
  }
}

/** The stakeholders whose person or team and role exist in this organization. */
async function knownStakeholders(
  { stakeholders, workspaceId }: ClipboardContent,
  target: string,
): Promise<readonly CopiedStakeholder[]> {
  if (stakeholders.length === 0 || workspaceId === target) return stakeholders;
  const orgId = useSession.getState().session?.orgId ?? '';
  const [{ people }, { teams }, roles] = await Promise.all([
    queryClient.ensureQueryData({ queryKey: queryKeys.people(orgId), queryFn: () => listPeople() }),
    queryClient.ensureQueryData({ queryKey: queryKeys.teams(orgId), queryFn: () => listTeams() }),
    queryClient.ensureQueryData({ queryKey: queryKeys.roles(orgId), queryFn: () => listRoles() }),
  ]);
  const known = { person: new Set(people.map(({ id }) => id)), team: new Set(teams.map(({ id }) => id)) };
  const builtIn = currentModel()?.catalogue.stakeholderLinkTypes ?? [];
  const roleIds = new Set([...builtIn, ...roles.types].map(({ id }) => id));
  return stakeholders.filter(({ kind, id, linkType }) => known[kind].has(id) && roleIds.has(linkType));
}

/** Adds copies where there is room, and selects them. Returns the IDs of the copies by the IDs of the originals. */
function addCopies(clip: ClipboardContent, offset: Point, verb: string): ReadonlyMap<string, string> {
  const room = roomForCopies(clip, offset);
  const ids = new Map<string, string>();
  const used = new Set<string>();
  for (const { id, name } of clip.components) {
    const next = freeId(name, (one) => used.has(one) || rows().component.has(one));
    used.add(next);
    ids.set(id, next);
  }
  const operations: Operation[] = clip.components.map(
    ({ id, typeId, name, description, x, y, properties, tags, technology, width, height }) => {
      const by = room.shiftOf(id);
      return {
        op: 'create',
        kind: 'component',
        id: ids.get(id) as string,
        fields: {
          typeId,
          name,
          ...(description ? { description } : {}),
          x: x + by.x,
          y: y + by.y,
          ...(width && height ? { width, height } : {}),
          ...(tags?.length ? { tags } : {}),
          ...(technology?.length ? { technology } : {}),
          properties,
        },
      };
    },
  );
  operations.push(...copiedRelationships(clip, ids, room), ...copiedStakeholders(clip, ids));
  const noteIds = clip.notes.map(() => newId());
  operations.push(...copiedNotes(clip, noteIds, room.noteShift));
  edit(`${verb} ${describeCopies(clip)}`, operations);
  setSelection(ids.values(), [], noteIds);
  return ids;
}

/** The operations that create copies of notes. */
function copiedNotes({ notes }: ClipboardContent, ids: readonly string[], by: Point): Operation[] {
  return notes.map(({ kind, text, color, x, y, layer, imageId, ...size }, at) => ({
    op: 'create',
    kind: 'note',
    id: ids[at] as string,
    fields: {
      kind,
      text: text ?? '',
      ...(color ? { color } : {}),
      x: x + by.x,
      y: y + by.y,
      ...(size.width && size.height ? { width: size.width, height: size.height } : {}),
      layer,
      ...(imageId ? { imageId } : {}),
    },
  }));
}

function describeCopies({ components, notes }: ClipboardContent): string {
  const [note] = notes;
  return formatList([
    ...(components.length > 0 ? [formatCount(components.length, 'component')] : []),
    ...(notes.length === 1 && note ? [noteLabel(note)] : []),
    ...(notes.length > 1 ? [formatCount(notes.length, 'note')] : []),
  ]);
}

/** The relationships between the copies, and with the groups of their originals. */
function copiedRelationships(
  clip: ClipboardContent,
  ids: ReadonlyMap<string, string>,
  { parents, shiftOf }: CopyRoom,
): Operation[] {
  const taken = new Set<string>();
  const contained = [...parents].map(([id, parent]) =>
    relationship(parent, ids.get(id) as string, CONTAINS, taken),
  );
  const copied = clip.relationships.flatMap(
    ({ sourceId, targetId, typeId, label, technology, line, properties }): Operation[] => {
      const [source, target] = [ids.get(sourceId), ids.get(targetId)];
      if (!source || !target) return [];
      const made = relationship(source, target, typeId, taken);
      const [by, targetBy] = [shiftOf(sourceId), shiftOf(targetId)];
      // Waypoints make sense only if both ends keep their distance.
      const layout = by.x === targetBy.x && by.y === targetBy.y ? lineLayout(line) : null;
      const optional = {
        ...(label ? { label } : {}),
        ...(technology?.length ? { technology } : {}),
        ...(layout ? { line: storedLine(shiftedLayout(layout, by)) } : {}),
      };
      return [{ ...made, fields: { ...made.fields, ...optional, properties } }];
    },
  );
  return [...contained, ...copied];
}

function copiedStakeholders(clip: ClipboardContent, ids: ReadonlyMap<string, string>): Operation[] {
  return clip.stakeholders.flatMap(({ componentId, linkType, kind, id, name }): Operation[] => {
    const copy = ids.get(componentId);
    if (!copy) return [];
    const who =
      kind === 'person' ? { personId: id, person: { id, name } } : { teamId: id, team: { id, name } };
    return [
      {
        op: 'create',
        kind: 'stakeholder',
        id: `new-${newId()}`,
        fields: { componentId: copy, linkType, ...who },
      },
    ];
  });
}
