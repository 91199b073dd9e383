/** The kinds of the organization and the custom types of this browser, shared by all screens. */

import { create } from 'zustand';
import { ownName } from '@/api/base';
import { type ComponentKind, type ComponentKindList, listKinds } from '@/api/generated';
import { useSession } from '@/api/session';
import { allTypes, type CustomType, parseCustomTypes } from '@/core/model/customTypes';
import { queryClient, queryKeys } from '@/data/queries';

const NO_KINDS: readonly ComponentKind[] = [];

/** Types are stored per user of this browser. */
function keyOf(userId: number | undefined): string {
  return ownName(`planroom.types/${userId}`);
}

/** The custom types of the current user in this browser. */
export const useCustomTypes = create<{ types: readonly CustomType[] }>()(() => ({
  types: loadCustomTypes(),
}));

useSession.subscribe(({ user }, before) => {
  if (user?.id !== before.user?.id) useCustomTypes.setState({ types: loadCustomTypes() });
});

/** The kinds of the organization and the custom types of this browser. */
export const useTypes = create<{ types: readonly CustomType[] }>()(() => ({
  types: allTypes(loadedKinds(), useCustomTypes.getState().types),
}));

let lastKinds = loadedKinds();

function loadedKinds(): readonly ComponentKind[] {
  const orgId = useSession.getState().session?.orgId ?? '';
  return queryClient.getQueryData<ComponentKindList>(queryKeys.kinds(orgId))?.kinds ?? NO_KINDS;
}

function updateTypes(): void {
  lastKinds = loadedKinds();
  useTypes.setState({ types: allTypes(lastKinds, useCustomTypes.getState().types) });
}

useCustomTypes.subscribe(updateTypes);
// A subscription to the cache, because a query in each of thousands of cards would be slow.
queryClient.getQueryCache().subscribe(() => {
  if (loadedKinds() !== lastKinds) updateTypes();
});

/** The types, after the kinds of the organization are loaded. */
export async function loadTypes(): Promise<readonly CustomType[]> {
  const orgId = useSession.getState().session?.orgId ?? '';
  const { kinds } = await queryClient.ensureQueryData({
    queryKey: queryKeys.kinds(orgId),
    queryFn: () => listKinds(),
  });
  return allTypes(kinds, useCustomTypes.getState().types);
}

/** Stores exactly these types. */
export function saveCustomTypes(types: readonly CustomType[]): void {
  localStorage.setItem(keyOf(useSession.getState().user?.id), JSON.stringify(types));
  useCustomTypes.setState({ types });
}

function loadCustomTypes(): CustomType[] {
  try {
    return parseCustomTypes(localStorage.getItem(keyOf(useSession.getState().user?.id)) ?? '[]');
  } catch {
    // Invalid stored data is kept until new types are stored.
    return [];
  }
}
