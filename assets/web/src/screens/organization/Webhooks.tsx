/** Webhooks of the organization: events that are sent to other servers. */
import { MoreHorizontal, Plus } from 'lucide-react';
import { useState } from 'react';
import { errorText } from '@/api/errors';
import {
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  type Webhook,
  type WebhookSecret,
} from '@/api/generated';
import { disabledText, FORMATS, webhookState } from '@/core/model/webhooks';
import { formatCount } from '@/core/text';
import { accountQueryKeys, invalidate, useWebhooks } from '@/data/accountQueries';
import { Alert } from '@/ui/Alert';
import { Button, IconButton } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { Badge, DataList, DataRow, EmptyList } from '@/ui/DataList';
import { Menu, MenuItem, MenuSeparator } from '@/ui/Menu';
import { QueryResult } from '@/ui/QueryResult';
import { RelativeTime } from '@/ui/RelativeTime';
import { Panel } from '@/ui/Sections';
import { showToast } from '@/ui/Toasts';
import { useAction } from '@/ui/useAction';
import { AdminsOnly } from './AdminsOnly';
import type { OrganizationProps } from './organizationProps';
import { WebhookDeliveries } from './WebhookDeliveries';
import { WebhookDialog } from './WebhookDialog';
import { WebhookSecretDialog } from './WebhookSecretDialog';

type Shown =
  | { dialog: 'create' }
  | { dialog: 'edit' | 'rotate' | 'delete'; webhook: Webhook }
  | { dialog: 'secret'; created: WebhookSecret };

export function Webhooks(props: OrganizationProps) {
  return (
    <AdminsOnly organization={props.organization} title="Webhooks">
      <List {...props} />
    </AdminsOnly>
  );
}

function List({ organization }: OrganizationProps) {
  const query = useWebhooks(organization.id);
  const [shown, setShown] = useState<Shown | null>(null);
  const close = () => setShown(null);
  const reload = () => invalidate(accountQueryKeys.webhooks(organization.id));
  const remove = async () => {
    if (shown?.dialog !== 'delete') return;
    await deleteWebhook(organization.id, shown.webhook.id);
    await reload();
    showToast('Webhook deleted');
  };
  const rotate = async () => {
    if (shown?.dialog !== 'rotate') return;
    const created = await rotateWebhookSecret(organization.id, shown.webhook.id);
    void reload();
    // The confirmation closes itself first.
    setTimeout(() => setShown({ dialog: 'secret', created }));
  };
  return (
    <Panel
      title="Webhooks"
      about="Events of this organization, sent to other servers with a signature. Private workspaces are never reported."
      actions={
        <Button icon={<Plus size={16} aria-hidden />} onClick={() => setShown({ dialog: 'create' })}>
          Create webhook
        </Button>
      }
    >
      <QueryResult query={query} what="webhooks">
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <EmptyList>No webhooks</EmptyList>
          ) : (
            <DataList label="Webhooks">
              {webhooks.map((webhook) => (
                <Row
                  key={webhook.id}
                  organization={organization}
                  webhook={webhook}
                  onShow={(dialog) => setShown({ dialog, webhook })}
                />
              ))}
            </DataList>
          )
        }
      </QueryResult>
      {(shown?.dialog === 'create' || shown?.dialog === 'edit') && (
        <WebhookDialog
          organization={organization}
          webhook={shown.dialog === 'edit' ? shown.webhook : undefined}
          onCreated={(created) => setShown({ dialog: 'secret', created })}
          onClose={close}
        />
      )}
      {shown?.dialog === 'secret' && <WebhookSecretDialog created={shown.created} onClose={close} />}
      <ConfirmDialog
        open={shown?.dialog === 'rotate'}
        onClose={close}
        title="Rotate the secret?"
        confirm="Rotate secret"
        onConfirm={rotate}
        kind="main"
      >
        <p>The webhook gets a new secret. For 24 hours, messages are signed with the old one too.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={shown?.dialog === 'delete'}
        onClose={close}
        title="Delete this webhook?"
        confirm="Delete webhook"
        onConfirm={remove}
      >
        <p>It sends nothing anymore, and the log of its deliveries is deleted. This cannot be undone.</p>
      </ConfirmDialog>
    </Panel>
  );
}

interface RowProps extends OrganizationProps {
  webhook: Webhook;
  onShow: (dialog: 'edit' | 'rotate' | 'delete') => void;
}

function Row({ organization, webhook, onShow }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  const { busy, error, run } = useAction();
  const { id, name, enabled } = webhook;
  const state = webhookState(webhook);
  const act = (action: () => Promise<unknown>) =>
    run(async () => {
      await action();
      await invalidate(accountQueryKeys.webhooks(organization.id));
    });
  const test = () =>
    act(async () => {
      await testWebhook(organization.id, id);
      setOpen(true);
    });
  return (
    <DataRow
      title={name}
      badges={
        <>
          <Badge tone={state.tone}>{state.name}</Badge>
          {webhook.format !== 'standard' && (
            <Badge>{FORMATS.find((format) => format.id === webhook.format)?.name}</Badge>
          )}
        </>
      }
      facts={[
        webhook.url,
        formatCount(webhook.events.length, 'event'),
        webhook.workspaceIds === null
          ? 'All workspaces'
          : formatCount(webhook.workspaceIds.length, 'workspace'),
        webhook.deliveredAt !== undefined && (
          <>
            Last delivery <RelativeTime time={webhook.deliveredAt} />
          </>
        ),
        webhook.pending > 0 && `${webhook.pending} pending`,
        webhook.oldSecretUntil !== undefined && (
          <>
            Old secret expires <RelativeTime time={webhook.oldSecretUntil} />
          </>
        ),
        disabledText(webhook),
        webhook.lastError !== undefined && `Last error: ${webhook.lastError}`,
      ]}
      actions={
        <>
          <Button busy={busy} aria-label={`Test ${name}`} onClick={() => void test()}>
            Test
          </Button>
          <Button
            aria-expanded={isOpen}
            aria-label={`Deliveries of ${name}`}
            onClick={() => setOpen((before) => !before)}
          >
            Deliveries
          </Button>
          <Menu
            trigger={
              <IconButton
                label={`More actions for ${name}`}
                icon={<MoreHorizontal size={18} aria-hidden />}
              />
            }
          >
            <MenuItem onSelect={() => onShow('edit')}>Edit webhook</MenuItem>
            <MenuItem
              onSelect={() => void act(() => updateWebhook(organization.id, id, { enabled: !enabled }))}
            >
              {enabled ? 'Disable webhook' : 'Enable webhook'}
            </MenuItem>
            <MenuItem onSelect={() => onShow('rotate')}>Rotate secret</MenuItem>
            <MenuSeparator />
            <MenuItem onSelect={() => onShow('delete')}>Delete webhook</MenuItem>
          </Menu>
        </>
      }
    >
      {(isOpen || error !== null) && (
        <>
          <Alert text={error !== null && errorText(error)} />
          {isOpen && <WebhookDeliveries organization={organization} webhook={webhook} />}
        </>
      )}
    </DataRow>
  );
}
