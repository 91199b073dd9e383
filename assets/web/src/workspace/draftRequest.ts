/** The request to start a draft of the open workspace, which opens the dialog. */
import { create } from 'zustand';
import { draftFields } from '@/api/drafts';
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
  return useWorkspace((state) => baseIdOf(state.serverRows?.workspace));
}

/** The same, outside of React. */
export function openBaseId(): string | undefined {
  return baseIdOf(useWorkspace.getState().serverRows?.workspace);
}

function baseIdOf(workspace: Parameters<typeof draftFields>[0]): string | undefined {
  return draftFields(workspace).baseId;
}

/** Whether the user can change the open workspace only with a draft. */
export function useIsProtected(): boolean {
  return useWorkspace((state) => draftFields(state.serverRows?.workspace).protected === true);
}
