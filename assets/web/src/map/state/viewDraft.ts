/** The rules of a view that are being edited. The map shows the view with them before they are saved. */
import { create } from 'zustand';
import type { ViewDefinition } from '@/core/sync/viewRows';

interface ViewDraft {
  address: string | null;
  definition: ViewDefinition | null;
}

export const useViewDraft = create<ViewDraft>()(() => ({ address: null, definition: null }));

export function setViewDraft(address: string, definition: ViewDefinition): void {
  useViewDraft.setState({ address, definition });
}

export function discardViewDraft(): void {
  useViewDraft.setState({ address: null, definition: null });
}
