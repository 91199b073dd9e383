/** Searches the workspaces of the organization on the server, while the user types. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type SearchResult, search } from '@/api/generated';
import { useSession } from '@/api/session';
import { queryKeys } from './queries';

/** Shorter queries find too much to be useful. */
const MIN_CHARS = 2;
/** Limits of the server. */
const MAX_CHARS = 200;
const MAX_WORDS = 20;
const MAX_RESULTS = 20;
const DELAY_MS = 150;
const STALE_AFTER_MS = 5000;

export interface RemoteSearch {
  /** The results of the last completed search while the next one runs. */
  results: readonly SearchResult[];
  state: 'idle' | 'loading' | 'failed' | 'done';
  retry: () => void;
}

const NONE: readonly SearchResult[] = [];

/** Finds components, processes and notes in all workspaces but one. */
export function useSearch(query: string, exceptWorkspaceId: string | undefined): RemoteSearch {
  const text = query.trim().replace(/\s+/g, ' ');
  const delayed = useDelayed(text);
  const orgId = useSession((state) => state.session?.orgId ?? '');
  const isSearchable = isValid(text) && orgId !== '';
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: queryKeys.search(orgId, delayed, exceptWorkspaceId),
    queryFn: ({ signal }) =>
      search(
        {
          q: delayed,
          kind: 'component,process,note',
          limit: MAX_RESULTS,
          ...(exceptWorkspaceId === undefined ? {} : { exceptWorkspaceId }),
        },
        { signal },
      ),
    enabled: isSearchable && isValid(delayed),
    staleTime: STALE_AFTER_MS,
    placeholderData: keepPreviousData,
    retry: 1,
  });
  const retry = () => void refetch();
  if (!isSearchable) return { results: NONE, state: 'idle', retry };
  const isCurrent = delayed === text && !isFetching;
  if (isCurrent && isError) return { results: NONE, state: 'failed', retry };
  return { results: data?.results ?? NONE, state: isCurrent && data ? 'done' : 'loading', retry };
}

function isValid(text: string): boolean {
  return text.length >= MIN_CHARS && text.length <= MAX_CHARS && text.split(' ').length <= MAX_WORDS;
}

/** The text after it has not changed for a moment. */
function useDelayed(text: string): string {
  const [delayed, setDelayed] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(text), DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return delayed;
}
