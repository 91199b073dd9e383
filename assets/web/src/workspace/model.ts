/** The model of the open workspace, shared by all screens. */
import { create } from 'zustand';
import type { Catalogue, Kind, KindsAnswer } from '@/api/generated';
import { useSession } from '@/api/session';
import { allTypes, type CustomType, parseCustomTypes } from '@/core/model/customTypes';
import { buildModel, type Model } from '@/core/model/model';
import type { Rows } from '@/core/sync/rows';
import { queryClient, queryKeys, useCatalogue, useKinds } from '@/data/queries';
import { useWorkspace } from './store';

const NO_KINDS: readonly Kind[] = [];

/** Types are stored per user of this browser. */
function keyOf(userId: number | undefined): string {
  return `planroom.types/${userId}`;
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

function loadedKinds(): readonly Kind[] {
  const orgId = useSession.getState().session?.orgId ?? '';
  return queryClient.getQueryData<KindsAnswer>(queryKeys.kinds(orgId))?.kinds ?? NO_KINDS;
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

/**
 * The rows as shown in panels: local edits are included immediately, remote changes at most once per frame, so that
 * many changes cause a single render.
 */
const useShownRows = create<{ rows: Rows | null }>()(() => ({ rows: useWorkspace.getState().rows }));

let frame = 0;

useWorkspace.subscribe(({ rows, serverRows }, before) => {
  if (rows === before.rows) return;
  if (rows && before.rows && serverRows !== before.serverRows) {
    frame ||= requestAnimationFrame(refresh);
  } else {
    refresh();
  }
});

function refresh(): void {
  cancelAnimationFrame(frame);
  frame = 0;
  useShownRows.setState({ rows: useWorkspace.getState().rows });
}

/** Undefined until the workspace and catalog are loaded. */
export function useModel(): Model | null {
  const rows = useShownRows((state) => state.rows);
  const types = useTypes((state) => state.types);
  useKinds();
  const { data: catalogue } = useCatalogue();
  return rows && catalogue ? buildModel(rows, catalogue, types) : null;
}

/** Like `useModel`, outside of React. */
export function currentModel(): Model | null {
  const { rows } = useWorkspace.getState();
  const catalogue = queryClient.getQueryData<Catalogue>(['catalogue']);
  return rows && catalogue ? buildModel(rows, catalogue, useTypes.getState().types) : null;
}

/** Whether the user can edit the open workspace. */
export function useCanEdit(): boolean {
  return useWorkspace((state) => roleCanEdit(state.rows?.workspace.myRole));
}

export function canEdit(): boolean {
  return roleCanEdit(useWorkspace.getState().rows?.workspace.myRole);
}

function roleCanEdit(role: string | null | undefined): boolean {
  return role === 'editor' || role === 'owner';
}
