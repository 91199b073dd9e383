/** Connected apps that act on the user's behalf, each in one organization. */

import { Fragment, useState } from 'react';
import { fullUrl } from '@/api/base';
import { type Connector, disconnectConnector } from '@/api/generated';
import { accountQueryKeys, invalidate, useConnectors } from '@/data/accountQueries';
import { useOrganizations } from '@/data/queries';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { Badge, DataList, DataRow, EmptyList } from '@/ui/DataList';
import { QueryResult } from '@/ui/QueryResult';
import { LastUse, RelativeTime } from '@/ui/RelativeTime';
import { Panel } from '@/ui/Sections';
import { showToast } from '@/ui/Toasts';

export function ConnectedApps() {
  const query = useConnectors();
  const organizations = useOrganizations().data?.organizations ?? [];
  const [selected, setSelected] = useState<Connector | null>(null);
  const name = (orgId: string) =>
    organizations.find((organization) => organization.id === orgId)?.name ?? 'an organization you left';
  const places =
    query.data?.connectors.filter((connector) => connector.clientId === selected?.clientId).length ?? 0;
  const disconnect = async () => {
    if (!selected) return;
    await disconnectConnector(selected.clientId);
    await invalidate(accountQueryKeys.connectors);
    showToast(`Disconnected “${selected.name}”`);
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
              <code>{fullUrl('/mcp')}</code>. Planroom then asks you to authorize it.
            </EmptyList>
          ) : (
            <DataList label="Connected apps">
              {connectors.map((connector) => (
                <DataRow
                  key={`${connector.clientId} ${connector.orgId}`}
                  title={connector.name}
                  badges={<Badge>{connector.canWrite ? 'Read and write' : 'Read-only'}</Badge>}
                  facts={[
                    `In ${name(connector.orgId)}`,
                    <Fragment key="authorized">
                      authorized <RelativeTime time={connector.createdAt} />
                    </Fragment>,
                    <LastUse key="used" time={connector.lastUsedAt} />,
                  ]}
                  actions={
                    <Button
                      kind="danger"
                      aria-label={`Disconnect ${connector.name}, in ${name(connector.orgId)}`}
                      onClick={() => setSelected(connector)}
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
        open={selected !== null}
        onClose={() => setSelected(null)}
        title={`Disconnect “${selected?.name}”?`}
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
