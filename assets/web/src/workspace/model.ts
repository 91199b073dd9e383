/** The model of the open workspace, shared by all screens. */
import { create } from 'zustand';
import type { Catalogue } from '@/api/generated';
import { buildModel, type Model } from '@/core/model/model';
import type { Rows } from '@/core/sync/rows';
import { queryClient, useCatalogue, useKinds } from '@/data/queries';
import { currentDrift, useDriftIndex } from './drift';
import { useWorkspace } from './store';
import { useTypes } from './types';

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
  const drift = useDriftIndex((state) => state.index);
  const { data: catalogue } = useCatalogue();
  return rows && catalogue ? buildModel(rows, catalogue, types, drift) : null;
}

/** Like `useModel`, outside of React. */
export function currentModel(): Model | null {
  const { rows } = useWorkspace.getState();
  const catalogue = queryClient.getQueryData<Catalogue>(['catalogue']);
  return rows && catalogue ? buildModel(rows, catalogue, useTypes.getState().types, currentDrift()) : null;
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
