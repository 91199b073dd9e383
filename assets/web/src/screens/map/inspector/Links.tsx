/** Pages elsewhere that belong to a component; of pages of the wiki their titles and icons. */

import { useMutation, useQuery } from '@tanstack/react-query';
import { BookOpen, RefreshCw, X } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import {
  createLink,
  deleteLink,
  getReadLinkIconUrl,
  type Link,
  listLinks,
  type NewLink,
  refreshLink,
} from '@/api/generated';
import { useSession } from '@/api/session';
import { keys, queryClient } from '@/app/queries';
import { problemOfAddress } from '@/core/model/valid';
import { newId } from '@/core/sync/id';
import { KINDS, type Rows } from '@/core/sync/rows';
import { recordStep, usePlan } from '@/plan/store';
import { Button, IconButton } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { complain } from '@/ui/Toasts';
import { WikiIcon } from '@/ui/WikiIcon';
import styles from './Inspector.module.css';
import { Hint, Section } from './Section';
import { WikiPicker } from './WikiPicker';

/** The links of a component. */
function useLinks(componentId: string) {
  const workspaceId = usePlan((plan) => plan.workspaceId);
  const orgId = useSession((state) => state.session?.orgId ?? '');
  useEffect(
    () =>
      usePlan.subscribe((plan, before) => {
        if (!plan.told || !before.told || plan.told === before.told || !mayBeLink(plan.told, before.told))
          return;
        void queryClient.invalidateQueries({ queryKey: keys.links(orgId, workspaceId, componentId) });
      }),
    [orgId, workspaceId, componentId],
  );
  const queryKey = keys.links(orgId, workspaceId, componentId);
  return {
    ...useQuery({ queryKey, queryFn: () => listLinks(workspaceId, componentId) }),
    queryKey,
    workspaceId,
  };
}

/** Links are no rows of the plan: one has changed when something has and no row, or when all was read anew. */
function mayBeLink(told: Rows, before: Rows): boolean {
  const changed = KINDS.filter((kind) => told[kind] !== before[kind]).length;
  return changed === 0 || changed === KINDS.length;
}

export function Links({ componentId, readOnly }: { componentId: string; readOnly: boolean }) {
  const { data, error, refetch, queryKey, workspaceId } = useLinks(componentId);
  const links = data?.links ?? [];
  const settle = () => queryClient.invalidateQueries({ queryKey });
  const remove = useMutation({
    mutationFn: (link: Link) =>
      asGesture('Remove a link', (headers) => deleteLink(workspaceId, componentId, link.id, { headers })),
    onError: complain,
    onSettled: settle,
  });
  const again = useMutation({
    mutationFn: (link: Link) => refreshLink(workspaceId, componentId, link.id),
    onError: complain,
    onSettled: settle,
  });
  return (
    <Section
      title="Links"
      count={links.length}
      addLabel={readOnly ? undefined : 'Add a link'}
      add={(close) => (
        <AddLink
          onClose={close}
          onAdd={async (link) => {
            await asGesture('Add a link', (headers) =>
              createLink(workspaceId, componentId, link, { headers }),
            );
            await settle();
          }}
        />
      )}
    >
      {error && (
        <p role="alert" className={styles.problem}>
          The links could not be read.{' '}
          <button type="button" className={styles.textButton} onClick={() => void refetch()}>
            Try again
          </button>
        </p>
      )}
      {data && links.length === 0 && <Hint>No pages elsewhere belong to it yet.</Hint>}
      <ul className={styles.list}>
        {links.map((link) => (
          <li key={link.id} className={styles.row}>
            <WikiIcon
              icon={link.icon}
              path={getReadLinkIconUrl(workspaceId, componentId, link.id)}
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
              {link.title || shortAddress(link.url)}
            </a>
            {!readOnly && link.kind !== 'url' && (
              <IconButton
                label={`Look up again: ${link.title || link.url}`}
                icon={<RefreshCw size={14} aria-hidden />}
                className={styles.small}
                busy={again.isPending}
                onClick={() => again.mutate(link)}
              />
            )}
            {!readOnly && (
              <IconButton
                label={`Remove the link to ${link.title || shortAddress(link.url)}`}
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

/** Does a write that the outbox does not know, so that it can be taken back like all others. */
async function asGesture(label: string, write: (headers: HeadersInit) => Promise<unknown>): Promise<void> {
  const batch = newId();
  await write({ 'X-Batch-Id': batch });
  recordStep({ batch, label });
}

function shortAddress(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '');
}

function AddLink({ onAdd, onClose }: { onAdd: (link: NewLink) => Promise<void>; onClose: () => void }) {
  const [url, setUrl] = useState('');
  const [isTried, setTried] = useState(false);
  const [isBrowsing, setBrowsing] = useState(false);
  const add = useMutation({ mutationFn: onAdd, onSuccess: onClose });
  const problem = isTried ? problemOfAddress(url) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!problemOfAddress(url)) add.mutate({ url: url.trim() });
  };
  return (
    <form onSubmit={submit} className={styles.form} noValidate>
      <TextField
        label="Address"
        type="url"
        placeholder="https://"
        value={url}
        problem={problem ?? add.error?.message}
        autoFocus
        onChange={(event) => setUrl(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      />
      <div>
        <Button icon={<BookOpen size={16} aria-hidden />} onClick={() => setBrowsing(true)}>
          Browse the wiki
        </Button>
      </div>
      <div className={styles.buttons}>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="main" type="submit" busy={add.isPending}>
          Add
        </Button>
      </div>
      <WikiPicker
        open={isBrowsing}
        onClose={() => setBrowsing(false)}
        onPick={async ({ url: address, kind }) => {
          await onAdd({ url: address, kind });
          onClose();
        }}
      />
    </form>
  );
}
