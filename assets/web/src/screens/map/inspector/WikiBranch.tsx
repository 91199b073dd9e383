/** The children of a wiki page or database, loaded page by page when expanded. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { ApiError } from '@/api/errors';
import { getWikiIconUrl, listWikiChildren, type WikiChild } from '@/api/generated';
import { useSession } from '@/api/session';
import { formatCount, truncate } from '@/core/text';
import { orgPath, useOrgSlug } from '@/routing/paths';
import { Button } from '@/ui/Button';
import { FormError } from '@/ui/Form';
import { Loading } from '@/ui/Loading';
import { WikiIcon } from '@/ui/WikiIcon';
import styles from './WikiPicker.module.css';
import { wikiOrErrorText } from './wikiErrors';

interface Props {
  /** Null for the root, which lists the content shared with the organization. */
  of: WikiChild | null;
  depth: number;
  /** Only titles that contain this text are listed. */
  filter: string;
  onPick: (child: WikiChild) => void;
  busy: boolean;
}

export function WikiBranch({ of, ...rest }: Props) {
  const { filter } = rest;
  const orgId = useSession((state) => state.session?.orgId ?? '');
  const what = of ? { id: of.targetId, kind: of.kind } : {};
  const query = useInfiniteQuery({
    queryKey: [orgId, 'wiki', of?.targetId ?? ''],
    queryFn: ({ pageParam }) => listWikiChildren(pageParam ? { ...what, cursor: pageParam } : what),
    initialPageParam: '',
    getNextPageParam: (last) => last.nextCursor,
    // The server has already retried.
    retry: false,
  });
  const { data, error, isPending, hasNextPage, isFetching, fetchNextPage, refetch } = query;
  const branch = useRef<HTMLDivElement>(null);
  const count = useRef(0);
  const children = data?.pages.flatMap((page) => page.results) ?? [];
  useEffect(() => {
    const before = count.current;
    count.current = children.length;
    if (before === 0 || children.length <= before) return;
    // The button may be removed after loading, so move the focus to the first new entry.
    const added = branch.current?.querySelector<HTMLElement>(`[data-place="${before}"] [data-entry]`);
    if (
      added &&
      (document.activeElement === document.body || branch.current?.contains(document.activeElement))
    )
      added.focus();
  }, [children.length]);
  if (isPending) return <Loading what={of ? of.title : 'the wiki'} />;
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} busy={isFetching} />;
  return (
    <div ref={branch} className={of ? styles.below : styles.branch}>
      {children.length === 0 && !hasNextPage && <Nothing isRoot={!of} />}
      <ul className={styles.list} aria-label={of ? `In ${of.title}` : 'The wiki'}>
        {children.map((child, place) => (
          <Entry key={child.targetId} child={child} place={place} {...rest} />
        ))}
      </ul>
      {filter.trim() !== '' && (
        <p className={styles.unmatched}>No listed pages match “{truncate(filter.trim(), 100)}”.</p>
      )}
      {error && <FormError text={wikiOrErrorText(error)} />}
      {data?.pages.some(({ truncated }) => truncated) && (
        <p className={styles.emptyMessage}>Only the first 10,000 rows of a database are listed.</p>
      )}
      {hasNextPage && (
        <div className={styles.more}>
          <Button busy={isFetching} onClick={() => void fetchNextPage()}>
            {of ? `Show more in ${of.title}` : 'Show more'}
          </Button>
          <span>{formatCount(children.length, 'page')} loaded</span>
        </div>
      )}
    </div>
  );
}

type EntryProps = { child: WikiChild; place: number } & Omit<Props, 'of'>;

function Entry({ child, place, ...rest }: EntryProps) {
  const { depth, filter, onPick, busy } = rest;
  const [isOpen, setOpen] = useState(false);
  // Keep expanded entries, because they may contain matches.
  if (!isOpen && !child.title.toLowerCase().includes(filter.trim().toLowerCase())) return null;
  return (
    <li data-place={place}>
      <div className={styles.entry} data-depth={depth}>
        {child.hasChildren ? (
          <button
            type="button"
            className={styles.expandButton}
            aria-expanded={isOpen}
            aria-label={`Pages in ${child.title}`}
            onClick={() => setOpen(!isOpen)}
          >
            <ChevronRight size={16} aria-hidden />
          </button>
        ) : (
          <span className={styles.expandButton} />
        )}
        <button
          type="button"
          className={styles.title}
          data-entry
          title={child.title}
          disabled={busy}
          onClick={() => onPick(child)}
        >
          <WikiIcon
            icon={child.icon}
            path={getWikiIconUrl({ id: child.targetId })}
            kind={child.kind}
            className={styles.icon}
          />
          <span>{child.title}</span>
        </button>
      </div>
      {isOpen && <WikiBranch of={child} {...rest} depth={depth + 1} />}
    </li>
  );
}

function Nothing({ isRoot }: { isRoot: boolean }) {
  if (!isRoot) return <p className={styles.emptyMessage}>No pages.</p>;
  return (
    <p className={styles.emptyMessage}>
      No pages are shared. Share pages with the connection in the wiki, then open this list again.
    </p>
  );
}

function Failed({ error, onRetry, busy }: { error: Error; onRetry: () => void; busy: boolean }) {
  const slug = useOrgSlug();
  const failure = useRef<HTMLDivElement>(null);
  // Keep newly expanded entries in view.
  useEffect(() => {
    failure.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const settings = <Link href={orgPath(slug, 'settings', 'wiki')}>organization settings</Link>;
  const code = error instanceof ApiError ? error.code : undefined;
  if (code === 'wiki_misconfigured' || code === 'wiki_access_denied') {
    const state = code === 'wiki_misconfigured' ? 'is not connected' : 'connection is no longer valid';
    return (
      <p ref={failure} role="alert" className={styles.emptyMessage}>
        The wiki {state}. An organization administrator can{' '}
        {code === 'wiki_misconfigured' ? 'connect' : 'reconnect'} it in the {settings}.
      </p>
    );
  }
  return (
    <div ref={failure} className={styles.branch}>
      <FormError text={wikiOrErrorText(error)} />
      <div>
        <Button busy={busy} onClick={onRetry}>
          Try again
        </Button>
      </div>
    </div>
  );
}
