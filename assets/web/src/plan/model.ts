/** The model of the open workspace, shared by all screens. */
import { create } from 'zustand';
import type { Catalogue } from '@/api/generated';
import { useSession } from '@/api/session';
import { queryClient, useCatalogue } from '@/app/queries';
import { type CustomType, parseCustomTypes } from '@/core/model/customTypes';
import { type Model, modelOf } from '@/core/model/model';
import type { Rows } from '@/core/sync/rows';
import { usePlan } from './store';

/** Stored per user of this browser. */
function keyOf(userId: number | undefined): string {
  return `planroom.types/${userId}`;
}

/** The custom types of the current user in this browser. */
export const useCustomTypes = create<{ types: readonly CustomType[] }>()(() => ({ types: kept() }));

useSession.subscribe(({ user }, before) => {
  if (user?.id !== before.user?.id) useCustomTypes.setState({ types: kept() });
});

/** Stores exactly these types. */
export function keepCustomTypes(types: readonly CustomType[]): void {
  localStorage.setItem(keyOf(useSession.getState().user?.id), JSON.stringify(types));
  useCustomTypes.setState({ types });
}

function kept(): CustomType[] {
  try {
    return parseCustomTypes(localStorage.getItem(keyOf(useSession.getState().user?.id)) ?? '[]');
  } catch {
    // Invalid stored data is left in place until new types are stored.
    return [];
  }
}

/**
 * The rows as panels show them: local edits immediately, remote changes at most once per frame, so that many changes
 * render once.
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

/** Undefined until workspace and catalog are loaded. */
export function useModel(): Model | null {
  const rows = useShownRows((state) => state.rows);
  const types = useCustomTypes((state) => state.types);
  const { data: catalogue } = useCatalogue();
  return rows && catalogue ? modelOf(rows, catalogue, types) : null;
}

/** The same outside of React. */
export function currentModel(): Model | null {
  const { rows } = usePlan.getState();
  const catalogue = queryClient.getQueryData<Catalogue>(['catalogue']);
  return rows && catalogue ? modelOf(rows, catalogue, useCustomTypes.getState().types) : null;
}

/** Whether the user can edit the open workspace. */
export function useCanEdit(): boolean {
  return usePlan((plan) => mayEdit(plan.rows?.workspace.myRole));
}

export function canEdit(): boolean {
  return mayEdit(usePlan.getState().rows?.workspace.myRole);
}

function mayEdit(role: string | null | undefined): boolean {
  return role === 'editor' || role === 'owner';
}
