/** What screens read beside the open workspace, each under one key, so that a change can make it stale. */
import { QueryClient, useQuery } from '@tanstack/react-query';
import { ApiError } from '@/api/errors';
import {
  listOrganizations,
  listPeople,
  listRoles,
  listTeams,
  listWorkspaces,
  readSchema,
  readSignInConfig,
} from '@/api/generated';
import { useSession } from '@/api/session';

const SECOND = 1000;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30 * SECOND,
      retry: (count, error) => count < 3 && (!(error instanceof ApiError) || error.isTemporary),
    },
  },
});

/** Keys that belong to an organization begin with its id: another one never shows what this one has. */
function useOrgId(): string {
  return useSession((state) => state.session?.orgId ?? '');
}

export const queryKeys = {
  organizations: ['organizations'],
  workspaces: (orgId: string) => [orgId, 'workspaces'],
  people: (orgId: string) => [orgId, 'people'],
  teams: (orgId: string) => [orgId, 'teams'],
  roles: (orgId: string) => [orgId, 'roles'],
  links: (orgId: string, workspaceId: string, componentId: string) => [
    orgId,
    'links',
    workspaceId,
    componentId,
  ],
  members: (orgId: string, workspaceId: string) => [orgId, 'members', workspaceId],
  history: (workspaceId: string) => ['history', workspaceId],
  versions: (workspaceId: string) => ['versions', workspaceId],
  impact: (workspaceId: string) => ['impact', workspaceId],
  past: (workspaceId: string, state: string) => ['past', workspaceId, state],
};

export function useSignInConfig() {
  return useQuery({ queryKey: ['sign-in-config'], queryFn: () => readSignInConfig({ anonymous: true }) });
}

export function useOrganizations() {
  return useQuery({ queryKey: queryKeys.organizations, queryFn: () => listOrganizations() });
}

export function useWorkspaces() {
  return useQuery({ queryKey: queryKeys.workspaces(useOrgId()), queryFn: () => listWorkspaces() });
}

/** The types of components and relationships, and lifecycle states: the same as long as the server runs. */
export function useCatalogue() {
  return useQuery({
    queryKey: ['catalogue'],
    queryFn: () => readSchema(),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function usePeople() {
  return useQuery({ queryKey: queryKeys.people(useOrgId()), queryFn: () => listPeople() });
}

export function useTeams() {
  return useQuery({ queryKey: queryKeys.teams(useOrgId()), queryFn: () => listTeams() });
}

export function useRoles() {
  return useQuery({ queryKey: queryKeys.roles(useOrgId()), queryFn: () => listRoles() });
}

/** Somebody changed a person, team or role: what shows them is read again. */
export function invalidateDirectory(): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => DIRECTORY_KEYS.has(String(queryKey[1])),
  });
}

const DIRECTORY_KEYS = new Set(['people', 'teams', 'roles', 'person', 'team']);
