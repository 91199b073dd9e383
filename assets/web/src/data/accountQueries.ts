/** Queries of the account, organization settings and administration screens. */
import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import {
  getMe,
  getSecondFactor,
  getSharingRules,
  getWikiStatus,
  listAdminTokens,
  listConnectors,
  listInvitations,
  listOrgMembers,
  listOrgShares,
  listSessions,
  listSettings,
  listTokens,
  listUsers,
  listWaitlist,
  listWebhookDeliveries,
  listWebhooks,
} from '@/api/generated';
import { isUnderWay } from '@/core/model/webhooks';
import { queryClient } from './queries';

export const accountQueryKeys = {
  me: ['me'],
  sessions: ['sessions'],
  secondFactor: ['second-factor'],
  tokens: ['tokens'],
  connectors: ['connectors'],
  members: (orgId: string) => [orgId, 'members'],
  invitations: (orgId: string) => [orgId, 'invitations'],
  shares: (orgId: string) => [orgId, 'org-shares'],
  sharingRules: (orgId: string) => [orgId, 'sharing-rules'],
  webhooks: (orgId: string) => [orgId, 'webhooks'],
  deliveries: (orgId: string, id: string) => [orgId, 'webhooks', id],
  wiki: (orgId: string) => [orgId, 'wiki-status'],
  users: ['admin', 'users'],
  audit: (kind: string, actor: string) => ['admin', 'audit', kind, actor],
  settings: ['admin', 'settings'],
  waitlist: ['admin', 'waitlist'],
};

export const useMe = () => useQuery({ queryKey: accountQueryKeys.me, queryFn: () => getMe() });

export const useSessions = () =>
  useQuery({ queryKey: accountQueryKeys.sessions, queryFn: () => listSessions() });

export const useSecondFactor = () =>
  useQuery({ queryKey: accountQueryKeys.secondFactor, queryFn: () => getSecondFactor() });

/** The user's own tokens, for members or for administrators. */
export const useTokens = (as: 'member' | 'admin') =>
  useQuery({
    queryKey: [...accountQueryKeys.tokens, as],
    queryFn: () => (as === 'admin' ? listAdminTokens() : listTokens()),
  });

export const useConnectors = () =>
  useQuery({ queryKey: accountQueryKeys.connectors, queryFn: () => listConnectors() });

export const useMembers = (orgId: string) =>
  useQuery({ queryKey: accountQueryKeys.members(orgId), queryFn: () => listOrgMembers(orgId) });

export const useInvitations = (orgId: string) =>
  useQuery({ queryKey: accountQueryKeys.invitations(orgId), queryFn: () => listInvitations(orgId) });

export const useOrgShares = (orgId: string) =>
  useQuery({ queryKey: accountQueryKeys.shares(orgId), queryFn: () => listOrgShares(orgId) });

export const useSharingRules = (orgId: string) =>
  useQuery({ queryKey: accountQueryKeys.sharingRules(orgId), queryFn: () => getSharingRules() });

export const useWebhooks = (orgId: string) =>
  useQuery({ queryKey: accountQueryKeys.webhooks(orgId), queryFn: () => listWebhooks(orgId) });

/** The newest deliveries of a webhook, polled while one of them is under way. */
export const useDeliveries = (orgId: string, id: string, limit: number) =>
  useQuery({
    queryKey: [...accountQueryKeys.deliveries(orgId, id), limit],
    queryFn: () => listWebhookDeliveries(orgId, id, { limit }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some((delivery) => isUnderWay(delivery, Date.now())) ? 1000 : false,
  });

/** The state of the wiki connection, polled while its links are refreshed. */
export const useWikiStatus = (orgId: string) =>
  useQuery({
    queryKey: accountQueryKeys.wiki(orgId),
    queryFn: () => getWikiStatus(),
    refetchInterval: ({ state }) => (state.data?.refresh?.running ? 2000 : false),
  });

export const useUsers = () => useQuery({ queryKey: accountQueryKeys.users, queryFn: () => listUsers() });

export const useSettings = () =>
  useQuery({ queryKey: accountQueryKeys.settings, queryFn: () => listSettings() });

export const useWaitlist = () =>
  useQuery({ queryKey: accountQueryKeys.waitlist, queryFn: () => listWaitlist() });

/** Invalidates a query. Resolves when it has been refetched, so that a dialog closes over current data. */
export function invalidate(queryKey: QueryKey): Promise<void> {
  return queryClient.invalidateQueries({ queryKey });
}
