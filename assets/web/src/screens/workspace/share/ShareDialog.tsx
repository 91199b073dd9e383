/** The share links of the workspace. Owners manage them; others see who can. */
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { openDialog, useDialogs } from '@/actions/dialogs';
import { listMembers, listShares, type ShareLink, type Workspace } from '@/api/generated';
import { useSession } from '@/api/session';
import { queryKeys } from '@/data/queries';
import { Button } from '@/ui/Button';
import { DataList, EmptyList } from '@/ui/DataList';
import { Dialog } from '@/ui/Dialog';
import { FormNote } from '@/ui/Form';
import { QueryResult } from '@/ui/QueryResult';
import { useWorkspace } from '@/workspace/store';
import { ShareForm } from './ShareForm';
import { ShareRow } from './ShareRow';

export function ShareDialog() {
  const isOpen = useDialogs((state) => state.open === 'share');
  const workspace = useWorkspace((state) => state.rows?.workspace);
  if (!isOpen || !workspace) return null;
  return (
    <Dialog open wide onClose={() => openDialog(null)} title={`Share “${workspace.name}”`}>
      {workspace.myRole === 'owner' ? <Links workspace={workspace} /> : <Owners workspace={workspace} />}
    </Dialog>
  );
}

function Links({ workspace }: { workspace: Workspace }) {
  const orgId = useSession((state) => state.session?.orgId ?? '');
  const query = useQuery({
    queryKey: queryKeys.shares(orgId, workspace.id),
    queryFn: () => listShares(workspace.id),
  });
  /** The link in the form. */
  const [edited, setEdited] = useState<ShareLink | 'new' | null>(null);
  return (
    <QueryResult query={query} what="share links">
      {({ shares, rules }) =>
        edited ? (
          <ShareForm
            workspace={workspace}
            rules={rules}
            share={edited === 'new' ? undefined : edited}
            onClose={() => setEdited(null)}
          />
        ) : (
          <>
            <p>
              Everyone who has the address of a share link can see the map, without an account. Links show no
              people, history or wiki pages.
            </p>
            {rules.mode === 'off' ? (
              <FormNote tone="warn">
                <p>An administrator has turned share links off. Existing links do not work.</p>
              </FormNote>
            ) : (
              <div>
                <Button kind="main" icon={<Plus size={16} aria-hidden />} onClick={() => setEdited('new')}>
                  Create share link
                </Button>
              </div>
            )}
            {shares.length === 0 ? (
              <EmptyList>No share links</EmptyList>
            ) : (
              <DataList label="Share links">
                {shares.toReversed().map((share) => (
                  <ShareRow
                    key={share.id}
                    share={share}
                    rules={rules}
                    workspaceId={workspace.id}
                    onEdit={() => setEdited(share)}
                  />
                ))}
              </DataList>
            )}
          </>
        )
      }
    </QueryResult>
  );
}

/** For users who cannot share. */
function Owners({ workspace }: { workspace: Workspace }) {
  const orgId = useSession((state) => state.session?.orgId ?? '');
  const queryKey = queryKeys.members(orgId, workspace.id);
  const query = useQuery({ queryKey, queryFn: () => listMembers(workspace.id) });
  return (
    <QueryResult query={query} what="owners">
      {({ members }) => {
        const owners = members.filter(({ role }) => role === 'owner');
        return (
          <>
            <p>Only owners of this workspace can create share links. Ask one of them:</p>
            <ul aria-label="Owners">
              {owners.map(({ userId, user }) => (
                <li key={userId}>{user.displayName}</li>
              ))}
            </ul>
          </>
        );
      }}
    </QueryResult>
  );
}
