/** The highlights of a draft on its map: what a merge adds, changes, moves and removes, and where both sides conflict. */
import type { DraftChange, DraftComparison, Note } from '@/api/generated';
import { toneOf } from '@/core/drafts/changes';
import { noteTitle } from '@/core/noteLabel';
import { noteRect } from '@/core/notes/note';
import { NODE_SIZE } from '@/core/scene/geometry';
import { shorten } from '@/core/sync/describe';
import type { Rows } from '@/core/sync/rows';
import type { Highlight, HighlightKind, HighlightLine, RemovedItem } from './view';

/** Maximum number of removed items drawn on the map. The list contains all of them. */
const MAX_DRAWN_REMOVED = 300;

/** The ID of the row in the draft. */
export function draftRowId({ id, draftRowId }: DraftChange): string {
  return draftRowId ?? id;
}

export function draftHighlight({ changes }: Pick<DraftComparison, 'changes'>, rows: Rows): Highlight {
  const tones: Tones = { component: new Map(), relationship: new Map(), note: new Map() };
  const gone: DraftChange[] = [];
  for (const change of changes) {
    const { kind } = change;
    const id = draftRowId(change);
    if (!isDrawn(kind)) continue;
    if (rows[kind].has(id)) tones[kind].set(id, toneOf(change));
    else if (change.change === 'removed') gone.push(change);
  }
  for (const change of changes) addPart(tones.component, change, rows);
  const drawn = gone.slice(0, MAX_DRAWN_REMOVED);
  return {
    components: tones.component,
    relationships: tones.relationship,
    notes: tones.note,
    dimOthers: true,
    lines: drawn.flatMap((change) => removedLine(change, rows)),
    removed: drawn.flatMap(removedItem),
  };
}

type DrawnKind = 'component' | 'relationship' | 'note';
type Tones = Record<DrawnKind, Map<string, HighlightKind>>;

function isDrawn(kind: DraftChange['kind']): kind is DrawnKind {
  return kind === 'component' || kind === 'relationship' || kind === 'note';
}

/** Owners and links are shown with their component. */
function addPart(
  components: Map<string, HighlightKind>,
  { kind, row, conflict }: DraftChange,
  rows: Rows,
): void {
  const id = kind === 'stakeholder' || kind === 'link' ? row?.componentId : undefined;
  if (typeof id !== 'string' || !rows.component.has(id)) return;
  if (conflict) components.set(id, 'conflicting');
  else if (!components.has(id)) components.set(id, 'changed');
}

function removedLine({ kind, row }: DraftChange, rows: Rows): HighlightLine[] {
  const [from, to] = [String(row?.sourceId), String(row?.targetId)];
  if (kind !== 'relationship' || !rows.component.has(from) || !rows.component.has(to)) return [];
  return [{ from, to, label: String(row?.label || row?.typeId), tone: 'removed' }];
}

function removedItem({ kind, id, name, row }: DraftChange): RemovedItem[] {
  if (!row) return [];
  if (kind === 'note') {
    const note = row as unknown as Note;
    return [{ kind, id, name: noteTitle(note), ...noteRect(note) }];
  }
  if (kind !== 'component') return [];
  return [{ kind, id, name: shorten(name), x: Number(row.x ?? 0), y: Number(row.y ?? 0), ...NODE_SIZE }];
}
