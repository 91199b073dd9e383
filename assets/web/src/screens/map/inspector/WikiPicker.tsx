/** A window to choose a page or database of the wiki: a tree, whose branches are read when they are opened. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { ApiError, explain } from '@/api/errors';
import { getReadWikiIconUrl, listWikiChildren, type WikiChild } from '@/api/generated';
import { useSession } from '@/api/session';
import { orgPath, useOrgSlug } from '@/app/paths';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Problem } from '@/ui/Form';
import { Waiting } from '@/ui/Waiting';
import { WikiIcon } from '@/ui/WikiIcon';
import styles from './WikiPicker.module.css';

interface Props {
  open: boolean;
  onClose: () => void;
  /** Links to it. The window closes when that is done, and says why when it fails. */
  onPick: (child: WikiChild) => Promise<void>;
}

export function WikiPicker({ open, onClose, onPick }: Props) {
  const [picked, setPicked] = useState<WikiChild | null>(null);
  const [problem, setProblem] = useState<string>();
  const pick = async (child: WikiChild) => {
    setPicked(child);
    setProblem(undefined);
    try {
      await onPick(child);
      onClose();
    } catch (error) {
      setProblem(explain(error));
    } finally {
      setPicked(null);
    }
  };
  return (
    <Dialog open={open} onClose={onClose} title="Link a page of the wiki">
      <Problem text={problem} />
      <Branch of={null} onPick={(child) => void pick(child)} busy={picked !== null} />
    </Dialog>
  );
}

interface BranchProps {
  of: WikiChild | null;
  onPick: (child: WikiChild) => void;
  busy: boolean;
}

/** What is below a page or database; below nothing, what is shared with the organization. */
function Branch({ of, onPick, busy }: BranchProps) {
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
  if (isPending) return <Waiting what={of ? of.title : 'the wiki'} />;
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} busy={isFetching} />;
  const children = data?.pages.flatMap((page) => page.results) ?? [];
  return (
    <>
      {children.length === 0 && !hasNextPage && <Nothing isRoot={!of} />}
      <ul className={styles.list} aria-label={of ? `In ${of.title}` : 'The wiki'}>
        {children.map((child) => (
          <Entry key={child.targetId} child={child} onPick={onPick} busy={busy} />
        ))}
      </ul>
      {error && <Problem text={explain(error)} />}
      {data?.pages.some(({ truncated }) => truncated) && (
        <p className={styles.nothing}>The wiki shows no more than the first 10,000 rows of a database.</p>
      )}
      {hasNextPage && (
        <div>
          <Button busy={isFetching} onClick={() => void fetchNextPage()}>
            {of ? `More in ${of.title}` : 'More'}
          </Button>
        </div>
      )}
    </>
  );
}

function Entry({ child, onPick, busy }: { child: WikiChild } & Pick<BranchProps, 'onPick' | 'busy'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <div className={styles.entry}>
        {child.hasChildren ? (
          <button
            type="button"
            className={styles.opener}
            aria-expanded={isOpen}
            aria-label={`What is in ${child.title}`}
            onClick={() => setOpen(!isOpen)}
          >
            <ChevronRight size={16} aria-hidden />
          </button>
        ) : (
          <span className={styles.opener} />
        )}
        <button type="button" className={styles.title} disabled={busy} onClick={() => onPick(child)}>
          <WikiIcon
            icon={child.icon}
            path={getReadWikiIconUrl({ id: child.targetId })}
            kind={child.kind}
            className={styles.icon}
          />
          <span>{child.title}</span>
        </button>
      </div>
      {isOpen && (
        <div className={styles.below}>
          <Branch of={child} onPick={onPick} busy={busy} />
        </div>
      )}
    </li>
  );
}

function Nothing({ isRoot }: { isRoot: boolean }) {
  if (!isRoot) return <p className={styles.nothing}>There are no pages in it.</p>;
  return (
    <p className={styles.nothing}>
      Nothing is shared yet. Share pages with the connection in the wiki itself, and open this again.
    </p>
  );
}

function Failed({ error, onRetry, busy }: { error: Error; onRetry: () => void; busy: boolean }) {
  const slug = useOrgSlug();
  const code = error instanceof ApiError ? error.code : undefined;
  if (code === 'wiki_misconfigured') {
    return (
      <p className={styles.nothing}>
        The wiki is not connected. An administrator of the organization connects it in{' '}
        <Link href={orgPath(slug, 'settings', 'wiki')}>its settings</Link>.
      </p>
    );
  }
  return (
    <>
      <Problem text={explain(error)} />
      <div>
        <Button busy={busy} onClick={onRetry}>
          Try again
        </Button>
      </div>
    </>
  );
}
