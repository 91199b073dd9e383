/** What is below a page or database of the wiki: read when it is opened, part by part. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { ApiError } from '@/api/errors';
import { getReadWikiIconUrl, listWikiChildren, type WikiChild } from '@/api/generated';
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
  /** Nothing: what is shared with the organization. */
  of: WikiChild | null;
  depth: number;
  /** What the titles that are shown are to hold. */
  wanted: string;
  onPick: (child: WikiChild) => void;
  busy: boolean;
}

export function WikiBranch({ of, ...rest }: Props) {
  const { wanted } = rest;
  const orgId = useSession((state) => state.session?.orgId ?? '');
  const what = of ? { id: of.targetId, kind: of.kind } : {};
  const query = useInfiniteQuery({
    queryKey: [orgId, 'wiki', of?.targetId ?? ''],
    queryFn: ({ pageParam }) => listWikiChildren(pageParam ? { ...what, cursor: pageParam } : what),
    initialPageParam: '',
    getNextPageParam: (last) => last.nextCursor,
    // The server has tried again already, as long as anybody wants to wait.
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
    // The button that read more may be gone: one goes on where the list went on.
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
      {wanted.trim() !== '' && (
        <p className={styles.unmatched}>
          Nothing that is listed here has “{truncate(wanted.trim(), 100)}” in its title.
        </p>
      )}
      {error && <FormError text={wikiOrErrorText(error)} />}
      {data?.pages.some(({ truncated }) => truncated) && (
        <p className={styles.emptyMessage}>
          The wiki shows no more than the first 10,000 rows of a database.
        </p>
      )}
      {hasNextPage && (
        <div className={styles.more}>
          <Button busy={isFetching} onClick={() => void fetchNextPage()}>
            {of ? `More in ${of.title}` : 'More'}
          </Button>
          <span>{formatCount(children.length, 'page')} listed so far</span>
        </div>
      )}
    </div>
  );
}

type EntryProps = { child: WikiChild; place: number } & Omit<Props, 'of'>;

function Entry({ child, place, ...rest }: EntryProps) {
  const { depth, wanted, onPick, busy } = rest;
  const [isOpen, setOpen] = useState(false);
  // What is open stays, for what is wanted may be in it.
  if (!isOpen && !child.title.toLowerCase().includes(wanted.trim().toLowerCase())) return null;
  return (
    <li data-place={place}>
      <div className={styles.entry} data-depth={depth}>
        {child.hasChildren ? (
          <button
            type="button"
            className={styles.expandButton}
            aria-expanded={isOpen}
            aria-label={`What is in ${child.title}`}
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
            path={getReadWikiIconUrl({ id: child.targetId })}
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
  if (!isRoot) return <p className={styles.emptyMessage}>There are no pages in it.</p>;
  return (
    <p className={styles.emptyMessage}>
      Nothing is shared yet. Share pages with the connection in the wiki itself, and open this again.
    </p>
  );
}

function Failed({ error, onRetry, busy }: { error: Error; onRetry: () => void; busy: boolean }) {
  const slug = useOrgSlug();
  const failure = useRef<HTMLDivElement>(null);
  // What is opened at the lower edge would fail beyond it.
  useEffect(() => {
    failure.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const settings = <Link href={orgPath(slug, 'settings', 'wiki')}>its settings</Link>;
  const code = error instanceof ApiError ? error.code : undefined;
  if (code === 'wiki_misconfigured' || code === 'wiki_access_denied') {
    const state =
      code === 'wiki_misconfigured' ? 'is not connected' : 'does not let this organization in any more';
    return (
      <p ref={failure} role="alert" className={styles.emptyMessage}>
        The wiki {state}. An administrator of the organization connects it{' '}
        {code === 'wiki_misconfigured' ? '' : 'again '}
        in {settings}.
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
