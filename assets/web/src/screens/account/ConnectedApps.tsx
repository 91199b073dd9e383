/** Programs that one has let in: assistants and the like, each in one organization. */
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
    organizations.find((one) => one.id === orgId)?.name ?? 'an organization that you have left';
  const places = query.data?.connectors.filter((one) => one.clientId === going?.clientId).length ?? 0;
  const disconnect = async () => {
    if (!going) return;
    await disconnectConnector(going.clientId);
    await invalidate(accountQueryKeys.connectors);
    showToast(`“${going.name}” is disconnected.`);
  };
  return (
    <Panel
      title="Connected programs"
      about="Assistants that act as you in one organization, because you let them in. One that you do not know: disconnect it."
    >
      <QueryResult query={query} what="your programs">
        {({ connectors }) =>
          connectors.length === 0 ? (
            <EmptyList>
              None yet. Give an assistant that speaks MCP the address <code>{location.origin}/mcp</code>; it
              opens a page here that asks you whether to let it in.
            </EmptyList>
          ) : (
            <DataList label="Connected programs">
              {connectors.map((one) => (
                <DataRow
                  key={`${one.clientId} ${one.orgId}`}
                  title={one.name}
                  badges={<Badge>{one.canWrite ? 'Reads and changes' : 'Reads only'}</Badge>}
                  facts={[
                    `In ${name(one.orgId)}`,
                    `let in ${formatDateTime(one.createdAt)}`,
                    one.lastUsedAt === null ? 'never used' : `used ${formatRelative(one.lastUsedAt)}`,
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
        confirm="Disconnect it"
        onConfirm={disconnect}
      >
        <p>
          It is refused from its next request on{places > 1 && `, in all ${places} organizations`}. To use it
          again, connect it anew from there.
        </p>
      </ConfirmDialog>
    </Panel>
  );
}
