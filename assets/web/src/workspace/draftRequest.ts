/** The request to start a draft of the open workspace, which opens the dialog. */
import { create } from 'zustand';
import { useWorkspace } from './store';

export const useDraftRequest = create<{ isOpen: boolean }>()(() => ({ isOpen: false }));

export function requestDraft(): void {
  useDraftRequest.setState({ isOpen: true });
}

export function closeDraftRequest(): void {
  useDraftRequest.setState({ isOpen: false });
}

/** The ID of the base if the open workspace is a draft. */
export function useBaseId(): string | undefined {
  return useWorkspace((state) => state.serverRows?.workspace.baseId);
}

/** The same, outside of React. */
export function openBaseId(): string | undefined {
  return useWorkspace.getState().serverRows?.workspace.baseId;
}

/** Whether the user can change the open workspace only with a draft. */
export function useIsProtected(): boolean {
  return useWorkspace((state) => state.serverRows?.workspace.protected === true);
}
