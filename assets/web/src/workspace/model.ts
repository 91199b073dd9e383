/** The model of the open workspace, for screens. All that ask for it share one. */
import { create } from 'zustand';
import type { Catalogue } from '@/api/generated';
import { useSession } from '@/api/session';
import { type CustomType, parseCustomTypes } from '@/core/model/customTypes';
import { buildModel, type Model } from '@/core/model/model';
import type { Rows } from '@/core/sync/rows';
import { queryClient, useCatalogue } from '@/data/queries';
import { useWorkspace } from './store';

/** Others who use this browser have their own. */
function keyOf(userId: number | undefined): string {
  return `planroom.types/${userId}`;
}

/** The custom types that whoever is signed in has in this browser. */
export const useCustomTypes = create<{ types: readonly CustomType[] }>()(() => ({
  types: loadCustomTypes(),
}));

useSession.subscribe(({ user }, before) => {
  if (user?.id !== before.user?.id) useCustomTypes.setState({ types: loadCustomTypes() });
});

/** Keeps these, and no others. */
export function saveCustomTypes(types: readonly CustomType[]): void {
  localStorage.setItem(keyOf(useSession.getState().user?.id), JSON.stringify(types));
  useCustomTypes.setState({ types });
}

function loadCustomTypes(): CustomType[] {
  try {
    return parseCustomTypes(localStorage.getItem(keyOf(useSession.getState().user?.id)) ?? '[]');
  } catch {
    // Somebody has edited it by hand; what cannot be read is left where it is until something is kept over it.
    return [];
  }
}

/**
 * The rows as panels show them: what one does oneself at once, what others do once a frame at most. Fifty changes that
 * come together are one drawing, not fifty.
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

/** None until the workspace and the catalogue are here. */
export function useModel(): Model | null {
  const rows = useShownRows((state) => state.rows);
  const types = useCustomTypes((state) => state.types);
  const { data: catalogue } = useCatalogue();
  return rows && catalogue ? buildModel(rows, catalogue, types) : null;
}

/** The same outside of screens. */
export function currentModel(): Model | null {
  const { rows } = useWorkspace.getState();
  const catalogue = queryClient.getQueryData<Catalogue>(['catalogue']);
  return rows && catalogue ? buildModel(rows, catalogue, useCustomTypes.getState().types) : null;
}

/** Whether one may change the open workspace. */
export function useCanEdit(): boolean {
  return useWorkspace((state) => roleCanEdit(state.rows?.workspace.myRole));
}

export function canEdit(): boolean {
  return roleCanEdit(useWorkspace.getState().rows?.workspace.myRole);
}

function roleCanEdit(role: string | null | undefined): boolean {
  return role === 'editor' || role === 'owner';
}
