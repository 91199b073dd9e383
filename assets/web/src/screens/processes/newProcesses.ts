/**
 * Processes that were created in this window and whose editor is still open. Their ID follows their name, see
 * `useRenameNewProcess`.
 */
import { useWorkspace } from '@/workspace/store';

interface NewProcess {
  workspaceId: string;
  /** All IDs that it has had. */
  ids: readonly string[];
}

let latest: NewProcess | null = null;

function isLatest(processId: string): boolean {
  return latest?.workspaceId === useWorkspace.getState().workspaceId && latest.ids.includes(processId);
}

export function markNew(processId: string): void {
  latest = { workspaceId: useWorkspace.getState().workspaceId, ids: [processId] };
}

export function isNew(processId: string): boolean {
  return isLatest(processId);
}

/** Called when the editor is left. */
export function endNew(processId: string): void {
  if (isLatest(processId)) latest = null;
}

export function replaceNew(processId: string, newId: string): void {
  if (latest && isLatest(processId)) latest = { ...latest, ids: [...latest.ids, newId] };
}

/** The key of the editor: the same for all IDs of a new process, so that the focus stays in the editor. */
export function editorKey(workspaceId: string, processId: string): string {
  const first = isLatest(processId) ? latest?.ids[0] : undefined;
  return `${workspaceId}/${first ?? processId}`;
}

/** The ID of a new process after its renaming was undone or redone; undefined if the process does not exist. */
export function otherIdOf(processId: string, exists: (id: string) => boolean): string | undefined {
  return isLatest(processId) ? latest?.ids.findLast(exists) : undefined;
}
