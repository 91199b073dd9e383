/** The clipboard text format, for copying components and notes between maps. */

import type { Component, Note, Relationship } from '@/api/generated';
import { nameProblem, textProblem } from '../model/validation';
import { NOTE_COLORS, noteRect } from '../notes/note';
import { clampLayer } from '../notes/order';
import { boundingBox, NODE_SIZE, overlaps, type Point, type Rect, snapToGrid } from '../scene/geometry';

export interface ClipboardContent {
  planroom: 1;
  components: readonly Component[];
  relationships: readonly Relationship[];
  notes: readonly CopiedNote[];
  /** The workspace of the copied components and images. */
  workspaceId?: string | undefined;
  groups: readonly CopiedGroup[];
  stakeholders: readonly CopiedStakeholder[];
}

/** The group of a copied component, which is not copied itself. */
export interface CopiedGroup {
  componentId: string;
  id: string;
  name: string;
}

/** The fields of a copied note. */
export type CopiedNote = Pick<
  Note,
  'kind' | 'text' | 'color' | 'x' | 'y' | 'width' | 'height' | 'layer' | 'imageId'
>;

/** A person or team with a role on a copied component. */
export interface CopiedStakeholder {
  componentId: string;
  linkType: string;
  kind: 'person' | 'team';
  id: string;
  name: string;
}

const NOT_PLANROOM_CONTENT =
  'The clipboard does not contain components or notes. Copy them from a map, then paste again.';
/** Parses clipboard text. Returns an error message if it was not copied from a map. */
export function parseClipboard(text: string): ClipboardContent | string {
  let json: Partial<ClipboardContent> | null;
  try {
    json = JSON.parse(text) as Partial<ClipboardContent> | null;
  } catch {
    return NOT_PLANROOM_CONTENT;
  }
  if (!json || typeof json !== 'object' || !Array.isArray(json.components)) return NOT_PLANROOM_CONTENT;
  const components = json.components.filter(isComponent);
  if (components.length !== json.components.length) return NOT_PLANROOM_CONTENT;
  const notes = Array.isArray(json.notes) ? json.notes.filter(isNote).map(copiedNote) : [];
  if (components.length + notes.length === 0) return NOT_PLANROOM_CONTENT;
  const problem = components.map(({ name }) => nameProblem(name)).find(Boolean);
  if (problem) return `Can’t paste. ${problem}`;
  const relationships = Array.isArray(json.relationships) ? json.relationships.filter(isRelationship) : [];
  const groups = Array.isArray(json.groups) ? json.groups.filter(isGroup) : [];
  const stakeholders = Array.isArray(json.stakeholders) ? json.stakeholders.filter(isStakeholder) : [];
  return {
    planroom: 1,
    components: components.map((component) => ({ ...component, properties: component.properties ?? {} })),
    relationships,
    notes,
    workspaceId: isText(json.workspaceId) ? json.workspaceId : undefined,
    groups,
    stakeholders,
  };
}

/** The offset of pasted components: next to the originals if those are in view, otherwise in the center of the view. */
export function pasteOffset(
  { components, notes, workspaceId }: Pick<ClipboardContent, 'components' | 'notes' | 'workspaceId'>,
  view: { workspaceId: string; seen: Rect },
): Point {
  const bounds = boundingBox([
    ...components.map(({ x, y }) => ({ x, y, ...NODE_SIZE })),
    ...notes.map(noteRect),
  ]);
  const isBeside = (workspaceId ?? view.workspaceId) === view.workspaceId;
  if (!bounds || (isBeside && overlaps(bounds, view.seen))) return DUPLICATE_OFFSET;
  const { x, y, width, height } = view.seen;
  return {
    x: snapToGrid(x + width / 2 - bounds.x - bounds.width / 2),
    y: snapToGrid(y + height / 2 - bounds.y - bounds.height / 2),
  };
}

/** The preferred offset of copies from their originals. */
export const DUPLICATE_OFFSET: Point = { x: 40, y: 40 };

function isGroup(value: unknown): value is CopiedGroup {
  const { componentId, id, name } = (value ?? {}) as Partial<CopiedGroup>;
  return [componentId, id, name].every(isText);
}

function isStakeholder(value: unknown): value is CopiedStakeholder {
  const { componentId, linkType, kind, id, name } = (value ?? {}) as Partial<CopiedStakeholder>;
  return [componentId, linkType, id, name].every(isText) && (kind === 'person' || kind === 'team');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isComponent(value: unknown): value is Component {
  const { id, typeId, name, x, y } = (value ?? {}) as Partial<Component>;
  return isText(id) && isText(typeId) && isText(name) && Number.isFinite(x) && Number.isFinite(y);
}

function isNote(value: unknown): value is CopiedNote {
  const { kind, text, x, y, layer, imageId } = (value ?? {}) as Partial<CopiedNote>;
  const isKnown = kind === 'note' || kind === 'frame' || (kind === 'image' && isText(imageId));
  return (
    isKnown &&
    Number.isFinite(x) &&
    Number.isFinite(y) &&
    Number.isFinite(layer ?? 0) &&
    !textProblem(text ?? '')
  );
}

/** Only the known fields, with valid values. */
function copiedNote({ kind, text, color, x, y, width, height, layer, imageId }: CopiedNote): CopiedNote {
  const side = (value: unknown) => (Number.isFinite(value) && Number(value) > 0 ? Number(value) : null);
  return {
    kind,
    text: text ?? '',
    color: NOTE_COLORS.some(({ id }) => id === color) ? (color ?? null) : null,
    x,
    y,
    width: side(width),
    height: side(height),
    layer: clampLayer(layer ?? 0),
    ...(imageId ? { imageId } : {}),
  };
}

function isRelationship(value: unknown): value is Relationship {
  const { sourceId, targetId, typeId } = (value ?? {}) as Partial<Relationship>;
  return isText(sourceId) && isText(targetId) && isText(typeId);
}
