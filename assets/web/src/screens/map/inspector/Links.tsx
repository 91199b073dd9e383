/** Links of a component, with titles and icons for wiki pages. */

import { useMutation, useQuery } from '@tanstack/react-query';
import { RefreshCw, X } from 'lucide-react';
import { useEffect } from 'react';
import { ApiError } from '@/api/errors';
import {
  applyOperations,
  getLinkIconUrl,
  type Link,
  listLinks,
  type Operation,
  refreshLink,
} from '@/api/generated';
import { pathText } from '@/api/problem';
import { useSession } from '@/api/session';
import { operationField } from '@/core/sync/rejection';
import { KINDS, type Rows } from '@/core/sync/rows';
import { queryClient, queryKeys } from '@/data/queries';
import { refetchImage } from '@/data/useImage';
import { IconButton } from '@/ui/Button';
import { showError, showToast } from '@/ui/Toasts';
import { WikiIcon } from '@/ui/WikiIcon';
import { recordUndoStep, useWorkspace } from '@/workspace/store';
import { AddLink } from './AddLink';
import styles from './Inspector.module.css';
import { Hint, Section } from './Section';
import { wikiOrErrorText } from './wikiErrors';

/** The links of a component. */
function useLinks(componentId: string) {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const orgId = useSession((state) => state.session?.orgId ?? '');
  // Unsaved components have no links on the server.
  const isThere = useWorkspace(({ serverRows }) => serverRows?.component.has(componentId) ?? false);
  useEffect(
    () =>
      useWorkspace.subscribe((state, before) => {
        if (
          !state.serverRows ||
          !before.serverRows ||
          state.serverRows === before.serverRows ||
          !mayAffectLinks(state.serverRows, before.serverRows)
        )
          return;
        void queryClient.invalidateQueries({ queryKey: queryKeys.links(orgId, workspaceId, componentId) });
      }),
    [orgId, workspaceId, componentId],
  );
  const queryKey = queryKeys.links(orgId, workspaceId, componentId);
  return {
    ...useQuery({ queryKey, queryFn: () => listLinks(workspaceId, componentId), enabled: isThere }),
    queryKey,
    workspaceId,
  };
}

/** Link change events contain no row, so reload links after such an event or a full reload. */
function mayAffectLinks(now: Rows, before: Rows): boolean {
  const changed = KINDS.filter((kind) => now[kind] !== before[kind]).length;
  return changed === 0 || changed === KINDS.length;
}

export function Links({ componentId, readOnly }: { componentId: string; readOnly: boolean }) {
  const { data, error, refetch, queryKey, workspaceId } = useLinks(componentId);
  const links = data?.links ?? [];
  const settle = () => queryClient.invalidateQueries({ queryKey });
  const remove = useMutation({
    mutationFn: (link: Link) =>
      write(workspaceId, 'Remove link', { op: 'delete', kind: 'link', id: link.id }),
    onError: showError,
    onSettled: settle,
  });
  const refresh = useMutation({
    mutationFn: (link: Link) => refreshLink(workspaceId, componentId, link.id),
    onSuccess: ({ link, unchanged }, before) => {
      showToast(lookedUp(before, link, unchanged));
      // The icon may be available now.
      refetchImage(getLinkIconUrl(workspaceId, componentId, link.id));
    },
    onError: (error, link) => showError(new Error(`“${nameOf(link)}”: ${wikiOrErrorText(error)}`)),
    onSettled: settle,
  });
  return (
    <Section
      title="Links"
      count={links.length}
      addLabel={readOnly ? undefined : 'Add link'}
      add={(close) => (
        <AddLink
          onClose={close}
          onAdd={async (link) => {
            const row = { ...link, componentId };
            await write(workspaceId, 'Add link', { op: 'create', kind: 'link', row });
            await settle();
          }}
        />
      )}
    >
      {error && (
        <p role="alert" className={styles.problem}>
          Could not load links.{' '}
          <button type="button" className={styles.textButton} onClick={() => void refetch()}>
            Try again
          </button>
        </p>
      )}
      {data && links.length === 0 && <Hint>No links yet.</Hint>}
      <ul className={styles.list}>
        {links.map((link) => (
          <li key={link.id} className={styles.row}>
            <WikiIcon
              icon={link.icon}
              path={getLinkIconUrl(workspaceId, componentId, link.id)}
              kind={link.kind}
              className={styles.rowIcon}
            />
            <a
              className={styles.rowMain}
              href={link.url}
              target="_blank"
              rel="noreferrer noopener"
              title={link.url}
            >
              {nameOf(link)}
            </a>
            {!readOnly && link.kind !== 'url' && (
              <IconButton
                label={`Refresh title of ${nameOf(link)}`}
                icon={<RefreshCw size={14} aria-hidden />}
                className={styles.small}
                busy={refresh.isPending && refresh.variables.id === link.id}
                onClick={() => refresh.mutate(link)}
              />
            )}
            {!readOnly && (
              <IconButton
                label={`Remove link to ${nameOf(link)}`}
                icon={<X size={16} aria-hidden />}
                className={styles.small}
                onClick={() => remove.mutate(link)}
              />
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Writes immediately instead of queueing, because the server looks up wiki pages. Each write is an undo step. */
async function write(workspaceId: string, label: string, operation: Operation): Promise<void> {
  try {
    const { changeSetId } = await applyOperations(workspaceId, { operations: [operation] });
    recordUndoStep({ id: changeSetId, changeSetId, label });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, body, retryAfter } = error;
    const at = operationField(body.path);
    if (!at) throw error;
    const { field: _, path: __, ...others } = body;
    const inRow = at.path.length > 0 ? { field: pathText(at.path), path: at.path } : {};
    throw new ApiError(status, { ...others, ...inRow }, retryAfter);
  }
}

function nameOf(link: Link): string {
  return link.title || shortAddress(link.url);
}

/** The message after refreshing a link. */
function lookedUp(before: Link, now: Link, unchanged: boolean): string {
  if (unchanged) return `“${nameOf(now)}” is up to date`;
  const isRenamed = nameOf(before) !== nameOf(now);
  return isRenamed
    ? `Renamed “${nameOf(before)}” to “${nameOf(now)}”`
    : `Updated the icon of “${nameOf(now)}”`;
}

function shortAddress(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '');
}
