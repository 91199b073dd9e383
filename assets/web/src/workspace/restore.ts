/** Restores a past state: a saved version, or any revision in the history. */
import { restoreRevision, restoreVersion } from '@/api/generated';

interface RestoreResult {
  /** The change set of the restore; undo it to revert. Undefined if no row changed. */
  changeSetId: string | undefined;
  /** Number of stakeholders that were not restored because the person, team or role was deleted. */
  skipped: number;
}

/** `state` has the URL format: `v3` or `120`. */
export async function restoreState(workspaceId: string, state: string): Promise<RestoreResult> {
  const result = state.startsWith('v')
    ? await restoreVersion(workspaceId, Number(state.slice(1)))
    : await restoreRevision(workspaceId, { revision: Number(state) });
  return { changeSetId: result.changeSetId, skipped: result.skipped.length };
}
