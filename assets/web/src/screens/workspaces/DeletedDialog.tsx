/** Workspaces deleted within the last 30 days, with a button to restore them. */

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '@/api/errors';
import { type ListedWorkspace, listWorkspaces, restoreWorkspace } from '@/api/generated';
import { useSession } from '@/api/session';
import { truncate } from '@/core/text';
import { invalidateWorkspaces } from '@/data/invalidateWorkspaces';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { LoadError } from '@/ui/LoadError';
import { Loading } from '@/ui/Loading';
import { RelativeTime } from '@/ui/RelativeTime';
import { showError, showToast } from '@/ui/Toasts';
import styles from './DeletedDialog.module.css';

export function DeletedDialog({ onClose }: { onClose: () => void }) {
  const orgId = useSession((state) => state.session?.orgId);
  const { data, error, refetch } = useQuery({
    queryKey: [orgId, 'workspaces', 'deleted'],
    queryFn: () => listWorkspaces({ deleted: true }),
    staleTime: 0,
  });
  return (
    <Dialog open onClose={onClose} title="Deleted workspaces">
      <p>Owners can restore deleted workspaces for 30 days.</p>
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what="deleted workspaces" />}
      {data?.workspaces.length === 0 && <p className={styles.emptyMessage}>No deleted workspaces</p>}
      <ul className={styles.list}>
        {data?.workspaces.map((workspace) => (
          <Deleted key={workspace.pk} workspace={workspace} />
        ))}
      </ul>
    </Dialog>
  );
}

function Deleted({ workspace }: { workspace: ListedWorkspace }) {
  const [busy, setBusy] = useState(false);
  const back = async () => {
    setBusy(true);
    await restoreDeleted(workspace).catch(showError);
    setBusy(false);
  };
  return (
    <li className={styles.row}>
      <span className={styles.name}>
        <strong>{workspace.name}</strong>
        {workspace.deletedAt && (
          <span className={styles.time}>
            deleted <RelativeTime time={workspace.deletedAt} />
          </span>
        )}
      </span>
      <Button busy={busy} onClick={() => void back()} aria-label={`Restore ${truncate(workspace.name, 80)}`}>
        Restore
      </Button>
    </li>
  );
}

/** Restores a workspace, with another ID if its ID is in use. */
export async function restoreDeleted({ pk, id, name }: ListedWorkspace): Promise<void> {
  if (pk === undefined) return;
  try {
    await restoreWorkspace({ pk });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
    await restoreWorkspace({ pk, id: `${id.slice(0, 110)}-restored-${pk}` });
  }
  await invalidateWorkspaces();
  showToast(`Restored “${truncate(name, 80)}”`);
}
