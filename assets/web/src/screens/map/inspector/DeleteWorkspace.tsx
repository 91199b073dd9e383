/** Asks once before a workspace goes, and says what goes with it. */
import { useMutation } from '@tanstack/react-query';
import { navigate } from 'wouter/use-browser-location';
import { deleteWorkspace } from '@/api/generated';
import { useSession } from '@/api/session';
import { orgPath, useOrgSlug } from '@/app/paths';
import { keys, queryClient } from '@/app/queries';
import type { Rows } from '@/core/sync/rows';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { complain, say } from '@/ui/Toasts';

interface Props {
  open: boolean;
  onClose: () => void;
  rows: Rows;
}

export function DeleteWorkspace({ open, onClose, rows }: Props) {
  const slug = useOrgSlug();
  const { workspace, component, relationship, process } = rows;
  const remove = useMutation({
    mutationFn: () => deleteWorkspace(workspace.id),
    onError: complain,
    onSuccess: () => {
      const { session } = useSession.getState();
      navigate(orgPath(slug));
      say(`“${workspace.name}” is deleted. It can be restored for 30 days.`);
      void queryClient.invalidateQueries({ queryKey: keys.workspaces(session?.orgId ?? '') });
    },
  });
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Delete “${workspace.name}”?`}
      footer={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            Delete the workspace
          </Button>
        </>
      }
    >
      <p>
        {component.size} components, {relationship.size} relationships and {process.size} processes go with
        it, for everybody. For 30 days an owner can restore it from the list of deleted workspaces.
      </p>
    </Dialog>
  );
}
