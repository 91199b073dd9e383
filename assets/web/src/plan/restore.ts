/** Goes back to a past state: a named version, or any moment that the history still knows. */
import {
  importWorkspace,
  listPeople,
  listRoles,
  listTeams,
  readWorkspace,
  restoreVersion,
} from '@/api/generated';
import { withoutGone } from '@/core/history/restorable';
import { newId } from '@/core/sync/id';

interface Restored {
  /** The gesture that it is; undo it to take it back. */
  batchId: string;
  /** Stakeholders who could not come back, because the person, team or role is not there any more. */
  skipped: number;
}

/** `state` is as an address names it: `v3`, `120`. */
export async function restore(workspaceId: string, state: string): Promise<Restored> {
  if (!state.startsWith('v')) return restoreMoment(workspaceId, Number(state));
  const { batchId, skipped } = await restoreVersion(workspaceId, Number(state.slice(1)));
  return { batchId, skipped: skipped.length };
}

/**
 * The bundle of that revision, imported over the workspace, which becomes it by difference. A bundle has no wiki links:
 * those of components that are there stay, those of components that come back do not come with them.
 */
async function restoreMoment(workspaceId: string, at: number): Promise<Restored> {
  const [then, { people }, { teams }, { types }] = await Promise.all([
    readWorkspace(workspaceId, { at }),
    listPeople(),
    listTeams(),
    listRoles(),
  ]);
  const { document, skipped } = withoutGone(then, { people, teams, roles: types });
  const batchId = newId();
  await importWorkspace(
    document,
    { id: workspaceId, replace: true },
    { timeout: 0, headers: { 'X-Batch-Id': batchId } },
  );
  return { batchId, skipped };
}
