/** The model of the open workspace, for screens. All that ask for it share one. */
import { create } from 'zustand';
import type { Catalogue } from '@/api/generated';
import { useSession } from '@/api/session';
import { type CustomType, parseCustomTypes } from '@/core/model/customTypes';
import { type Model, modelOf } from '@/core/model/model';
import type { Rows } from '@/core/sync/rows';
import { queryClient, useCatalogue } from '@/data/queries';
import { usePlan } from './store';

/** Others who use this browser have their own. */
function keyOf(userId: number | undefined): string {
  return `planroom.types/${userId}`;
}

/** The custom types that whoever is signed in has in this browser. */
export const useCustomTypes = create<{ types: readonly CustomType[] }>()(() => ({ types: kept() }));

useSession.subscribe(({ user }, before) => {
  if (user?.id !== before.user?.id) useCustomTypes.setState({ types: kept() });
});

/** Keeps these, and no others. */
export function keepCustomTypes(types: readonly CustomType[]): void {
  localStorage.setItem(keyOf(useSession.getState().user?.id), JSON.stringify(types));
  useCustomTypes.setState({ types });
}

function kept(): CustomType[] {
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
const useShownRows = create<{ rows: Rows | null }>()(() => ({ rows: usePlan.getState().rows }));

let frame = 0;

usePlan.subscribe(({ rows, told }, before) => {
  if (rows === before.rows) return;
  if (rows && before.rows && told !== before.told) {
    frame ||= requestAnimationFrame(show);
  } else {
    show();
  }
});

function show(): void {
  cancelAnimationFrame(frame);
  frame = 0;
  useShownRows.setState({ rows: usePlan.getState().rows });
}

/** None until the workspace and the catalogue are here. */
export function useModel(): Model | null {
  const rows = useShownRows((state) => state.rows);
  const types = useCustomTypes((state) => state.types);
  const { data: catalogue } = useCatalogue();
  return rows && catalogue ? modelOf(rows, catalogue, types) : null;
}

/** The same outside of screens. */
export function currentModel(): Model | null {
  const { rows } = usePlan.getState();
  const catalogue = queryClient.getQueryData<Catalogue>(['catalogue']);
  return rows && catalogue ? modelOf(rows, catalogue, useCustomTypes.getState().types) : null;
}

/** Whether one may change the open workspace. */
export function useCanEdit(): boolean {
  return usePlan((plan) => mayEdit(plan.rows?.workspace.myRole));
}

export function canEdit(): boolean {
  return mayEdit(usePlan.getState().rows?.workspace.myRole);
}

function mayEdit(role: string | null | undefined): boolean {
  return role === 'editor' || role === 'owner';
}
