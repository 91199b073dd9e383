/** Edits of decisions. Each is one undo step. */
import type { DecisionStatus } from '@/api/generated';
import { today } from '@/core/decisions/decisions';
import { newProcessId } from '@/core/process/newProcess';
import type { Fields } from '@/core/sync/operation';
import type { DecisionRow } from '@/core/sync/rows';
import { useWorkspace, edit as write } from '@/workspace/store';
import { showUndoToast } from '@/workspace/undo';
import { checkCanEdit, short } from './edits';

/** What the form of a decision writes. */
export interface DecisionFields {
  title: string;
  status: DecisionStatus;
  date: string;
  authors: readonly string[];
  componentIds: readonly string[];
  supersedes: readonly string[];
  body: string;
}

/** IDs that the server reserves. */
const RESERVED: readonly string[] = ['export', 'import'];

/** Creates a decision and returns its ID; undefined if the user cannot edit. */
export function createDecision(fields: DecisionFields): string | undefined {
  const { rows } = useWorkspace.getState();
  if (!rows || !checkCanEdit()) return undefined;
  const isTaken = (id: string) => RESERVED.includes(id) || rows.decision.has(id);
  const id = newProcessId(fields.title, isTaken, 'decision');
  write(`Create decision “${short(fields.title)}”`, [
    { op: 'create', kind: 'decision', id, fields: { ...fields } },
  ]);
  return id;
}

/** Writes the fields that differ from `before`, which were read at the revision `base`. */
export function saveDecision(id: string, before: DecisionFields, fields: DecisionFields, base: number): void {
  if (!checkCanEdit()) return;
  const changed: Fields = {};
  const was: Fields = {};
  for (const name of Object.keys(fields) as (keyof DecisionFields)[]) {
    if (JSON.stringify(fields[name]) === JSON.stringify(before[name])) continue;
    changed[name] = fields[name];
    was[name] = before[name];
  }
  if (Object.keys(changed).length === 0) return;
  write(`Change decision “${short(fields.title)}”`, [
    { op: 'update', kind: 'decision', id, fields: changed, before: was, base },
  ]);
}

/** Sets the state of a decision, and its date to today. */
export function setDecisionStatus(
  { id, title, status, date, revision }: DecisionRow,
  to: DecisionStatus,
): void {
  if (to === status || !checkCanEdit()) return;
  write(`Change status of “${short(title)}”`, [
    {
      op: 'update',
      kind: 'decision',
      id,
      fields: { status: to, date: today() },
      before: { status, date },
      base: revision,
    },
  ]);
}

/** Deletes a decision and shows a toast with Undo. */
export function deleteDecision({ id, title, revision }: DecisionRow): void {
  if (!checkCanEdit()) return;
  const editId = write(`Delete decision “${short(title)}”`, [
    { op: 'delete', kind: 'decision', id, base: revision, fields: { title } },
  ]);
  showUndoToast(`Deleted “${short(title)}”`, editId);
}
