/** The log of a webhook's deliveries. */
import { useEffect, useState } from 'react';
import { errorText } from '@/api/errors';
import { redeliverWebhook, type Webhook, type WebhookDelivery } from '@/api/generated';
import { DELIVERY_STATES, eventName } from '@/core/model/webhooks';
import { formatCount } from '@/core/text';
import { formatDateTime } from '@/core/time/format';
import { accountQueryKeys, invalidate, useDeliveries } from '@/data/accountQueries';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Badge, DataList, DataRow, EmptyList } from '@/ui/DataList';
import { QueryResult } from '@/ui/QueryResult';
import { RelativeTime } from '@/ui/RelativeTime';
import { useAction } from '@/ui/useAction';
import type { OrganizationProps } from './organizationProps';
import styles from './WebhookDeliveries.module.css';

/** Number of deliveries that are shown at first, and how many more at a time. */
const PAGE = 20;

interface Props extends OrganizationProps {
  webhook: Webhook;
}

export function WebhookDeliveries({ organization, webhook }: Props) {
  const [limit, setLimit] = useState(PAGE);
  const query = useDeliveries(organization.id, webhook.id, limit);
  const { busy, error, run } = useAction();
  const waiting = query.data?.deliveries.filter(({ state }) => state === 'pending').length;
  // The state of the webhook follows its deliveries.
  useEffect(() => {
    if (waiting !== undefined && waiting !== webhook.pending) {
      void invalidate(accountQueryKeys.webhooks(organization.id));
    }
  }, [waiting, webhook.pending, organization.id]);
  const redeliver = (delivery: WebhookDelivery) =>
    run(async () => {
      await redeliverWebhook(organization.id, webhook.id, delivery.id);
      await invalidate(accountQueryKeys.deliveries(organization.id, webhook.id));
    });
  return (
    <QueryResult query={query} what="deliveries">
      {({ deliveries, nextCursor }) =>
        deliveries.length === 0 ? (
          <EmptyList>No deliveries in the last 30 days</EmptyList>
        ) : (
          <div className={styles.log}>
            <Alert text={error !== null && errorText(error)} />
            <DataList label={`Deliveries of ${webhook.name}`}>
              {deliveries.map((delivery) => (
                <Row
                  key={delivery.id}
                  delivery={delivery}
                  busy={busy}
                  onRedeliver={() => void redeliver(delivery)}
                />
              ))}
            </DataList>
            {nextCursor && (
              <div>
                <Button busy={query.isFetching} onClick={() => setLimit(limit + PAGE)}>
                  Show more deliveries
                </Button>
              </div>
            )}
          </div>
        )
      }
    </QueryResult>
  );
}

interface RowProps {
  delivery: WebhookDelivery;
  busy: boolean;
  onRedeliver: () => void;
}

function Row({ delivery, busy, onRedeliver }: RowProps) {
  const { state, event, createdAt, triedAt, nextTryAt, status, durationMs } = delivery;
  const name = eventName(event);
  return (
    <DataRow
      title={name}
      badges={<Badge tone={DELIVERY_STATES[state].tone}>{DELIVERY_STATES[state].name}</Badge>}
      facts={[
        delivery.workspaceId !== null && `In ${delivery.workspaceId}`,
        <RelativeTime key="created" time={createdAt} />,
        status !== undefined && `Status ${status}`,
        durationMs !== undefined && `${durationMs.toLocaleString('en')} ms`,
        delivery.tries > 1 && formatCount(delivery.tries, 'try', 'tries'),
        nextTryAt !== undefined && triedAt !== undefined && (
          <>
            Next try <RelativeTime time={nextTryAt} />
          </>
        ),
        delivery.error,
      ]}
      actions={
        state !== 'pending' && (
          <Button
            busy={busy}
            aria-label={`Redeliver ${name} of ${formatDateTime(createdAt)}`}
            onClick={onRedeliver}
          >
            Redeliver
          </Button>
        )
      }
    />
  );
}
