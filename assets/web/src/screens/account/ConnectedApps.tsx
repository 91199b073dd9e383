/** Connected apps that act on the user's behalf, each in one organization. */
import { useState } from 'react';
import { type Connector, disconnectConnector } from '@/api/generated';
import { formatDateTime, formatRelative } from '@/core/time/format';
import { accountQueryKeys, invalidate, useConnectors } from '@/data/accountQueries';
import { useOrganizations } from '@/data/queries';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { Badge, DataList, DataRow, EmptyList } from '@/ui/DataList';
import { QueryResult } from '@/ui/QueryResult';
import { Panel } from '@/ui/Sections';
import { showToast } from '@/ui/Toasts';

export function ConnectedApps() {
  const query = useConnectors();
  const organizations = useOrganizations().data?.organizations ?? [];
  const [going, setGoing] = useState<Connector | null>(null);
  const name = (orgId: string) =>
    organizations.find((one) => one.id === orgId)?.name ?? 'an organization you left';
  const places = query.data?.connectors.filter((one) => one.clientId === going?.clientId).length ?? 0;
  const disconnect = async () => {
    if (!going) return;
    await disconnectConnector(going.clientId);
    await invalidate(accountQueryKeys.connectors);
    showToast(`Disconnected “${going.name}”`);
  };
  return (
    <Panel
      title="Connected apps"
      about="Apps and assistants that act on your behalf in one organization. Disconnect any that you don’t recognize."
    >
      <QueryResult query={query} what="connected apps">
        {({ connectors }) =>
          connectors.length === 0 ? (
            <EmptyList>
              No connected apps. To connect an assistant that supports MCP, add the server URL{' '}
              <code>{location.origin}/mcp</code>. Planroom then asks you to authorize it.
            </EmptyList>
          ) : (
            <DataList label="Connected apps">
              {connectors.map((one) => (
                <DataRow
                  key={`${one.clientId} ${one.orgId}`}
                  title={one.name}
                  badges={<Badge>{one.canWrite ? 'Read and write' : 'Read-only'}</Badge>}
                  facts={[
                    `In ${name(one.orgId)}`,
                    `authorized ${formatDateTime(one.createdAt)}`,
                    one.lastUsedAt === null ? 'never used' : `last used ${formatRelative(one.lastUsedAt)}`,
                  ]}
                  actions={
                    <Button
                      kind="danger"
                      aria-label={`Disconnect ${one.name}, in ${name(one.orgId)}`}
                      onClick={() => setGoing(one)}
                    >
                      Disconnect
                    </Button>
                  }
                />
              ))}
            </DataList>
          )
        }
      </QueryResult>
      <ConfirmDialog
        open={going !== null}
        onClose={() => setGoing(null)}
        title={`Disconnect “${going?.name}”?`}
        confirm="Disconnect app"
        onConfirm={disconnect}
      >
        <p>
          The app loses access immediately{places > 1 && ` in all ${places} organizations`}. To use it again,
          authorize it again from the app.
        </p>
      </ConfirmDialog>
    </Panel>
  );
}
