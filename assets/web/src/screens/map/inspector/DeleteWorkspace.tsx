/** Confirms the deletion of a workspace and lists the data deleted with it. */

import { deleteWorkspace } from '@/api/generated';
import { useSession } from '@/api/session';
import type { Rows } from '@/core/sync/rows';
import { formatCount } from '@/core/text';
import { queryClient, queryKeys } from '@/data/queries';
import { navigate } from '@/routing/location';
import { orgPath, useOrgSlug } from '@/routing/paths';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { showToast } from '@/ui/Toasts';

interface Props {
  open: boolean;
  onClose: () => void;
  rows: Rows;
}

export function DeleteWorkspace({ open, onClose, rows }: Props) {
  const slug = useOrgSlug();
  const { workspace, component, relationship, process } = rows;
  const remove = async () => {
    await deleteWorkspace(workspace.id);
    const { session } = useSession.getState();
    navigate(orgPath(slug));
    showToast(`Deleted “${workspace.name}”. You can restore it for 30 days.`);
    void queryClient.invalidateQueries({ queryKey: queryKeys.workspaces(session?.orgId ?? '') });
  };
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Delete “${workspace.name}”?`}
      confirm="Delete workspace"
      onConfirm={remove}
    >
      <p>
        This deletes {formatCount(component.size, 'component')},{' '}
        {formatCount(relationship.size, 'relationship')} and{' '}
        {formatCount(process.size, 'process', 'processes')} for everyone. An owner can restore the workspace
        for 30 days from the list of deleted workspaces.
      </p>
    </ConfirmDialog>
  );
}
