/** Goes back to a past state: a named version, or any moment that the history still knows. */
import { restoreRevision, restoreVersion } from '@/api/generated';

interface RestoreResult {
  /** The change set that it is: undo it to go back. */
  changeSetId: string;
  /** Stakeholders who could not come back, because the person, team or role is not there any more. */
  skipped: number;
}

/** `state` is as an address names it: `v3`, `120`. */
export async function restoreState(workspaceId: string, state: string): Promise<RestoreResult> {
  const answer = state.startsWith('v')
    ? await restoreVersion(workspaceId, Number(state.slice(1)))
    : await restoreRevision(workspaceId, { revision: Number(state) });
  return { changeSetId: answer.changeSetId ?? answer.batchId, skipped: answer.skipped.length };
}
