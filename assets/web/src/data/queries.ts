/** Queries shared by screens, except for the open workspace. Each has one key, so that changes can invalidate it. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { ApiError } from '@/api/errors';
import {
  getSchema,
  getSignInConfig,
  listKinds,
  listOrganizations,
  listPeople,
  listRoles,
  listTeams,
  listWorkspaces,
} from '@/api/generated';
import { useSession } from '@/api/session';
import { RefetchingClient } from './refetchingClient';

const SECOND = 1000;

export const queryClient = new RefetchingClient({
  defaultOptions: {
    queries: {
      staleTime: 30 * SECOND,
      retry: (count, error) => count < 3 && (!(error instanceof ApiError) || error.isTemporary),
    },
  },
});

/** Query keys of an organization start with its ID, so that data never appears in another organization. */
function useOrgId(): string {
  return useSession((state) => state.session?.orgId ?? '');
}

export const queryKeys = {
  organizations: ['organizations'],
  workspaces: (orgId: string) => [orgId, 'workspaces'],
  search: (orgId: string, query: string, exceptWorkspaceId: string | undefined) => [
    orgId,
    'search',
    query,
    exceptWorkspaceId,
  ],
  people: (orgId: string) => [orgId, 'people'],
  teams: (orgId: string) => [orgId, 'teams'],
  roles: (orgId: string) => [orgId, 'roles'],
  kinds: (orgId: string) => [orgId, 'kinds'],
  links: (orgId: string, workspaceId: string, componentId: string) => [
    orgId,
    'links',
    workspaceId,
    componentId,
  ],
  members: (orgId: string, workspaceId: string) => [orgId, 'members', workspaceId],
  shares: (orgId: string, workspaceId: string) => [orgId, 'shares', workspaceId],
  history: (workspaceId: string) => ['history', workspaceId],
  versions: (workspaceId: string) => ['versions', workspaceId],
  impact: (workspaceId: string) => ['impact', workspaceId],
  past: (workspaceId: string, state: string) => ['past', workspaceId, state],
};

export function useSignInConfig() {
  return useQuery({ queryKey: ['sign-in-config'], queryFn: () => getSignInConfig({ anonymous: true }) });
}

export function useOrganizations() {
  return useQuery({ queryKey: queryKeys.organizations, queryFn: () => listOrganizations() });
}

export function useWorkspaces() {
  return useQuery({ queryKey: queryKeys.workspaces(useOrgId()), queryFn: () => listWorkspaces() });
}

/** Component types, relationship types and lifecycle states. They don't change while the server runs. */
const catalogue = queryOptions({
  queryKey: ['catalogue'],
  queryFn: () => getSchema(),
  staleTime: Number.POSITIVE_INFINITY,
});

export function useCatalogue() {
  return useQuery(catalogue);
}

/** Loads the catalogue before a screen needs it. */
export function preloadCatalogue(): void {
  void queryClient.prefetchQuery(catalogue);
}

export function usePeople(enabled = true) {
  return useQuery({ queryKey: queryKeys.people(useOrgId()), queryFn: () => listPeople(), enabled });
}

export function useTeams() {
  return useQuery({ queryKey: queryKeys.teams(useOrgId()), queryFn: () => listTeams() });
}

export function useRoles() {
  return useQuery({ queryKey: queryKeys.roles(useOrgId()), queryFn: () => listRoles() });
}

export function useKinds() {
  return useQuery({ queryKey: queryKeys.kinds(useOrgId()), queryFn: () => listKinds() });
}

/** Invalidates every query that shows people, teams, roles or kinds. */
export function invalidateDirectory(): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => DIRECTORY_KEYS.has(String(queryKey[1])),
  });
}

const DIRECTORY_KEYS = new Set(['people', 'teams', 'roles', 'kinds', 'person', 'team']);
