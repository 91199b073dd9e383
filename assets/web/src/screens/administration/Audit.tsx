/** What happened on the instance, the newest first. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { errorText } from '@/api/errors';
import { type Event, readAudit } from '@/api/generated';
import { auditCsv, auditJson, detailText } from '@/core/audit/export';
import { formatDateTime } from '@/core/time/format';
import { accountQueryKeys } from '@/data/accountQueries';
import { Button } from '@/ui/Button';
import { DescriptionList, EmptyList } from '@/ui/DataList';
import { download } from '@/ui/download';
import { TextField } from '@/ui/Field';
import { FormError } from '@/ui/Form';
import { Loading } from '@/ui/Loading';
import { Panel } from '@/ui/Sections';
import styles from './Audit.module.css';

const PAGE = 100;

function useAudit(kind: string) {
  return useInfiniteQuery({
    queryKey: accountQueryKeys.audit(kind),
    queryFn: ({ pageParam }) =>
      readAudit({ limit: PAGE, ...(kind ? { kind } : {}), ...(pageParam ? { before: pageParam } : {}) }),
    initialPageParam: 0,
    getNextPageParam: ({ events }) => (events.length < PAGE ? undefined : events.at(-1)?.id),
    staleTime: 0,
  });
}

/** The kinds among what was read of all of them. */
function useKinds(): readonly string[] {
  const events = useAudit('').data?.pages.flatMap((page) => page.events) ?? [];
  return [...new Set(events.map((event) => event.kind))].sort();
}

export function Audit() {
  const [text, setText] = useState('');
  const [kind, setKind] = useState('');
  const list = useId();
  const kinds = useKinds();
  const query = useAudit(kind);
  const events = query.data?.pages.flatMap((page) => page.events) ?? [];
  const csv = () => download('audit.csv', 'text/csv', auditCsv(events));
  const json = () => download('audit.json', 'application/json', auditJson(events));
  return (
    <Panel
      title="Audit"
      about="Every write, sign-in, token and change of permissions. No event holds a secret, and none is ever changed."
    >
      <div className={styles.tools}>
        <TextField
          label="Kind"
          name="kind"
          list={list}
          value={text}
          autoComplete="off"
          placeholder="All; or type one, as token.create, and Enter"
          maxLength={100}
          onChange={(event) => {
            setText(event.target.value);
            // What is half typed is no kind yet; what was picked from the list, or emptied, is meant.
            if (!event.target.value || kinds.includes(event.target.value)) setKind(event.target.value);
          }}
          onKeyDown={(event) => event.key === 'Enter' && setKind(text.trim())}
          onBlur={() => setKind(text.trim())}
        />
        <datalist id={list}>
          {kinds.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
        <div className={styles.buttons}>
          <Button disabled={events.length === 0} onClick={csv}>
            Export CSV
          </Button>
          <Button disabled={events.length === 0} onClick={json}>
            Export JSON
          </Button>
        </div>
      </div>
      {query.isPending && <Loading what="the audit log" />}
      {query.data && events.length === 0 && (
        <EmptyList>Nothing of the kind “{kind}” has happened. Kinds are of the form token.create.</EmptyList>
      )}
      <div>
        {events.map((event) => (
          <Row key={event.id} event={event} />
        ))}
      </div>
      <FormError text={query.error ? errorText(query.error) : undefined} />
      {events.length > 0 && (
        <div className={styles.buttons}>
          {query.hasNextPage && (
            <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Show older ones
            </Button>
          )}
          <span role="status">
            {events.length} {events.length === 1 ? 'event' : 'events'} shown
            {query.hasNextPage ? '' : ', which is all'}; exports hold these.
          </span>
        </div>
      )}
    </Panel>
  );
}

function Row({ event }: { event: Event }) {
  const who =
    event.actor?.displayName ?? (event.actorId === null ? 'System or operator' : `User ${event.actorId}`);
  return (
    <details className={styles.event}>
      <summary>
        <time className={styles.time} dateTime={new Date(event.ts).toISOString()}>
          {formatDateTime(event.ts)}
        </time>
        <code className={styles.kind}>{event.kind}</code>
        <span className={styles.actor}>{who}</span>
      </summary>
      <div className={styles.details}>
        <DescriptionList
          of={[
            ['Event', String(event.id)],
            ['Time', new Date(event.ts).toISOString()],
            ['By', event.actor ? `${who} (${event.actor.login}, user ${event.actor.id})` : who],
            ['Organization', event.orgId ?? 'None'],
            ...Object.entries(event.details).map(([name, value]) => [name, detailText(value)] as const),
          ]}
        />
      </div>
    </details>
  );
}
