/** Shows the rows that an import added: opens the map, selects them, and makes the import undoable. */
import type { SyncCounts, SyncReport } from '@/api/generated';
import { formatCount } from '@/core/text';
import { setSelection, useView } from '@/map/state/view';
import { navigate } from '@/routing/location';
import { workspacePath } from '@/routing/paths';
import { recordUndoStep, useWorkspace, type WorkspaceState } from '@/workspace/store';
import { showUndoToast } from '@/workspace/undo';

/** How long the rows may take to arrive, in milliseconds. */
const PATIENCE_MS = 30_000;

export function openImported(
  slug: string,
  workspaceId: string,
  formatName: string,
  report: SyncReport,
): void {
  const added = idsOf(report, 'component');
  const text = `Import ${formatName}: ${summary(report)}`;
  navigate(workspacePath(slug, workspaceId));
  const hasArrived = ({ workspaceId: shown, status, rows }: WorkspaceState) =>
    shown === workspaceId && status === 'ready' && added.every((id) => rows?.component.has(id));
  when(hasArrived, () => {
    if (report.changeSetId) {
      recordUndoStep({ id: report.changeSetId, changeSetId: report.changeSetId, label: text });
      showUndoToast(`Imported ${formatName}: ${summary(report)}`, report.changeSetId);
    }
    if (added.length === 0) return;
    setSelection(added, idsOf(report, 'relationship'));
    // The inspector opens with the selection and makes the canvas smaller.
    whenMapIsShown(() => afterLayout(() => useView.getState().camera?.fit(added)));
  });
}

function idsOf({ added }: SyncReport, kind: string): string[] {
  return added.flatMap((row) => (row.kind === kind && typeof row.id === 'string' ? [row.id] : []));
}

const COUNTS: readonly (readonly [keyof SyncCounts, string])[] = [
  ['added', 'added'],
  ['adopted', 'found'],
  ['changed', 'changed'],
  ['vanished', 'gone'],
  ['removed', 'deleted'],
];

function summary({ counts, added }: SyncReport): string {
  const parts = COUNTS.flatMap(([name, what]) => {
    const count = counts[name];
    return count > 0 ? [`${count.toLocaleString('en')} ${what}`] : [];
  });
  return parts.join(', ') || formatCount(added.length, 'change');
}

/** Runs once when the workspace is in a state, unless that takes too long. */
function when(isSo: (state: WorkspaceState) => boolean, run: () => void): void {
  if (isSo(useWorkspace.getState())) {
    run();
    return;
  }
  const stop = useWorkspace.subscribe((state) => {
    if (!isSo(state)) return;
    end();
    run();
  });
  const timer = setTimeout(() => stop(), PATIENCE_MS);
  const end = () => {
    clearTimeout(timer);
    stop();
  };
}

function whenMapIsShown(run: () => void): void {
  if (useView.getState().camera) {
    run();
    return;
  }
  const stop = useView.subscribe(({ camera }) => {
    if (!camera) return;
    clearTimeout(timer);
    stop();
    run();
  });
  const timer = setTimeout(stop, PATIENCE_MS);
}

/** Runs when the next layout has been measured. */
function afterLayout(run: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(run)));
}
