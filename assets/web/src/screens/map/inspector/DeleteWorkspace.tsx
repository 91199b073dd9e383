/** Asks once before a workspace goes, and says what goes with it. */
import { navigate } from 'wouter/use-browser-location';
import { deleteWorkspace } from '@/api/generated';
import { useSession } from '@/api/session';
import type { Rows } from '@/core/sync/rows';
import { queryClient, queryKeys } from '@/data/queries';
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
    showToast(`“${workspace.name}” is deleted. It can be restored for 30 days.`);
    void queryClient.invalidateQueries({ queryKey: queryKeys.workspaces(session?.orgId ?? '') });
  };
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Delete “${workspace.name}”?`}
      confirm="Delete the workspace"
      onConfirm={remove}
    >
      <p>
        {component.size} components, {relationship.size} relationships and {process.size} processes go with
        it, for everybody. For 30 days an owner can restore it from the list of deleted workspaces.
      </p>
    </ConfirmDialog>
  );
}
