/** The inbox, what the user watches, and notification settings. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { create } from 'zustand';
import {
  getNotificationSettings,
  getThreadFollowing,
  type InboxEntry,
  type ListInboxParams,
  listInbox,
  listWatches,
  markInboxRead,
  type Watch,
} from '@/api/generated';
import { useSession } from '@/api/session';
import { queryClient } from './queries';

/** Which entries are listed. */
export type InboxFilter = Pick<ListInboxParams, 'unread' | 'kind'>;

const PAGE = 30;

const inboxKey = (orgId: string) => [orgId, 'inbox'];
const watchesKey = (orgId: string) => [orgId, 'watches'];
const settingsKey = ['notification-settings'];

function useOrgId(): string {
  return useSession((state) => state.session?.orgId ?? '');
}

function orgIdNow(): string {
  return useSession.getState().session?.orgId ?? '';
}

/** The number of unread entries; null until it is known. */
export const useUnread = create<{ unread: number | null }>()(() => ({ unread: null }));

/** Applies a number of unread entries that the server has sent, and loads the list again if it is shown. */
export function setUnread(unread: number): void {
  useUnread.setState({ unread });
  void queryClient.invalidateQueries({ queryKey: inboxKey(orgIdNow()) });
}

/** Entries in pages, newest first. */
export function useInbox(filter: InboxFilter) {
  return useInfiniteQuery({
    queryKey: [...inboxKey(useOrgId()), filter],
    queryFn: ({ pageParam }) =>
      listInbox({ ...filter, limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** Marks entries as read. */
export async function markRead(entries: readonly InboxEntry[]): Promise<void> {
  const ids = entries.filter(({ readAt }) => readAt === null).map(({ id }) => id);
  if (ids.length > 0) setUnread((await markInboxRead({ ids })).unread);
}

/** Marks all entries as read that are not newer than the newest one in a list. */
export async function markAllRead(newest: number): Promise<void> {
  setUnread((await markInboxRead({ until: newest })).unread);
}

/** What the user watches. */
export function useWatches() {
  return useQuery({ queryKey: watchesKey(useOrgId()), queryFn: () => listWatches() });
}

/** Whether the user watches a workspace, a component or a team; undefined until it is known. */
export function useIsWatched({ type, workspaceId, id }: WatchTarget): boolean | undefined {
  return useWatches().data?.watches.some(
    (watch) =>
      watch.type === type &&
      (type === 'team' || watch.workspaceId === workspaceId) &&
      (type === 'workspace' || watch.id === id),
  );
}

/** Something that can be watched. */
export type WatchTarget = Pick<Watch, 'type' | 'workspaceId' | 'id'>;

/** Loads what the user watches again. */
export function invalidateWatches(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: watchesKey(orgIdNow()) });
}

/** Whether the user follows a thread. */
export function useThreadFollowing(workspaceId: string, threadId: string) {
  return useQuery({
    queryKey: [...followingKey(useOrgId(), workspaceId, threadId)],
    queryFn: () => getThreadFollowing(workspaceId, threadId),
  });
}

const followingKey = (orgId: string, workspaceId: string, threadId: string) => [
  orgId,
  'following',
  workspaceId,
  threadId,
];

/** Loads whether the user follows a thread again, as after a message of theirs. */
export function invalidateFollowing(workspaceId: string, threadId: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: followingKey(orgIdNow(), workspaceId, threadId) });
}

export const useNotificationSettings = () =>
  useQuery({ queryKey: settingsKey, queryFn: () => getNotificationSettings() });

export function invalidateNotificationSettings(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: settingsKey });
}
