/** The audit log, newest first. */

import { useInfiniteQuery } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { errorText } from '@/api/errors';
import { type AuditEvent, type AuditEventObject, listAuditEvents } from '@/api/generated';
import { describeEvent, EVENT_TYPES } from '@/core/audit/describe';
import { auditCsv, auditJson, detailText } from '@/core/audit/export';
import { MAX_EVENT_TYPE_CHARS } from '@/core/limits';
import { formatDateTime } from '@/core/time/format';
import { accountQueryKeys, useUsers } from '@/data/accountQueries';
import { orgPath, workspacePath } from '@/routing/paths';
import { Button } from '@/ui/Button';
import { Combobox, type ComboboxItem } from '@/ui/Combobox';
import { DescriptionList, EmptyList } from '@/ui/DataList';
import { download, downloadCsv } from '@/ui/download';
import { TextField } from '@/ui/Field';
import { FormError } from '@/ui/Form';
import { Loading } from '@/ui/Loading';
import { RelativeTime } from '@/ui/RelativeTime';
import { Panel } from '@/ui/Sections';
import styles from './Audit.module.css';

const PAGE = 100;

/** `actor` is the ID of a user, or empty for all. */
function useAudit(kind: string, actor: string) {
  return useInfiniteQuery({
    queryKey: accountQueryKeys.audit(kind, actor),
    queryFn: ({ pageParam }) =>
      listAuditEvents({
        limit: PAGE,
        ...(kind ? { kind } : {}),
        ...(actor ? { actor: Number(actor) } : {}),
        ...(pageParam ? { before: pageParam } : {}),
      }),
    initialPageParam: 0,
    getNextPageParam: ({ events }) => (events.length < PAGE ? undefined : events.at(-1)?.id),
    staleTime: 0,
  });
}

/** The known event types, and those among the events loaded so far. */
function useKinds(): readonly string[] {
  const events = useAudit('', '').data?.pages.flatMap((page) => page.events) ?? [];
  return [...new Set([...EVENT_TYPES, ...events.map((event) => event.kind)])].sort();
}

/** All users, with logins because names are not unique. */
function useActors(): readonly ComboboxItem[] {
  const users = useUsers().data?.users;
  return useMemo(() => {
    const items = users?.map(({ id, displayName, login }) => ({
      id: String(id),
      name: displayName,
      hint: login,
    }));
    return [{ id: '', name: 'All users' }, ...(items ?? []).sort((a, b) => a.name.localeCompare(b.name))];
  }, [users]);
}

export function Audit() {
  const [actor, setActor] = useState('');
  const actors = useActors();
  const [text, setText] = useState('');
  const [kind, setKind] = useState('');
  const list = useId();
  const kinds = useKinds();
  const query = useAudit(kind, actor);
  const events = query.data?.pages.flatMap((page) => page.events) ?? [];
  const csv = () => downloadCsv('audit', auditCsv(events));
  const json = () => download('audit.json', 'application/json', auditJson(events));
  return (
    <Panel
      title="Audit log"
      about="All sign-ins, changes, tokens and permission updates. Entries are immutable and never contain secrets."
    >
      <div className={styles.tools}>
        <TextField
          label="Event type"
          name="kind"
          list={list}
          value={text}
          autoComplete="off"
          placeholder="All, or token.create"
          maxLength={MAX_EVENT_TYPE_CHARS}
          onChange={(event) => {
            setText(event.target.value);
            // Don't search for partially typed event types. Search when one is selected from the list or the field is
            // cleared.
            if (!event.target.value || kinds.includes(event.target.value)) setKind(event.target.value);
          }}
          onKeyDown={(event) => event.key === 'Enter' && setKind(text.trim())}
          onBlur={() => setKind(text.trim())}
        />
        <datalist id={list}>
          {kinds.map((kind) => (
            <option key={kind} value={kind} />
          ))}
        </datalist>
        <Combobox label="User" items={actors} value={actor} onChange={setActor} />
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
        <EmptyList>
          No events{kind && ` of type “${kind}”`}
          {actor && ` by ${actors.find(({ id }) => id === actor)?.name ?? 'this user'}`}.
          {kind && ' Event types have the form token.create.'}
        </EmptyList>
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
              Show older events
            </Button>
          )}
          <span role="status">
            {events.length} {events.length === 1 ? 'event' : 'events'} shown
            {query.hasNextPage ? '' : ' (all)'}. Exports contain the events shown.
          </span>
        </div>
      )}
    </Panel>
  );
}

function Row({ event }: { event: AuditEvent }) {
  const who =
    event.actor?.displayName ?? (event.actorId === null ? 'System or operator' : `User ${event.actorId}`);
  return (
    <details className={styles.event}>
      <summary>
        <RelativeTime className={styles.time} time={event.ts} />
        <span className={styles.sentence}>
          <strong>{who}</strong>{' '}
          {describeEvent(event).map((part, at) =>
            typeof part === 'string' ? (
              part
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an event never change
              <strong key={at}>{part.name}</strong>
            ),
          )}
        </span>
        <code className={styles.kind}>{event.kind}</code>
      </summary>
      <div className={styles.details}>
        <DescriptionList
          of={[
            ['Event', String(event.id)],
            ['Time', `${formatDateTime(event.ts)} (${new Date(event.ts).toISOString()})`],
            ['By', event.actor ? `${who} (${event.actor.login}, user ${event.actor.id})` : who],
            ['Organization', event.orgId ?? 'None'],
            ...(event.address === null ? [] : [['Address', event.address] as const]),
            ...(event.requestId === null ? [] : [['Request', event.requestId] as const]),
            ...(event.objects.length > 0
              ? [['Objects', <Objects key="objects" of={event.objects} />] as const]
              : []),
            ...Object.entries(event.details).map(([name, value]) => [name, detailText(value)] as const),
          ]}
        />
      </div>
    </details>
  );
}

/** The objects of an event, with links to those that have a page. */
function Objects({ of }: { of: readonly AuditEventObject[] }) {
  return (
    <ul className={styles.objects}>
      {of.map((object) => {
        const href = pathOf(object);
        return (
          <li key={`${object.kind} ${object.id}`}>
            {object.kind} {href ? <Link href={href}>{object.name}</Link> : object.name}
          </li>
        );
      })}
    </ul>
  );
}

function pathOf({ kind, id, orgSlug, workspaceId }: AuditEventObject): string | undefined {
  if (!orgSlug) return undefined;
  switch (kind) {
    case 'organization':
      return orgPath(orgSlug);
    case 'workspace':
      return workspacePath(orgSlug, id);
    case 'component':
      return workspaceId && `${workspacePath(orgSlug, workspaceId)}?c=${encodeURIComponent(id)}`;
    case 'process':
      return workspaceId && workspacePath(orgSlug, workspaceId, 'processes', id);
    case 'person':
      return orgPath(orgSlug, 'people', id);
    default:
      return undefined;
  }
}
