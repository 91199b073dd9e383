/** The preview of a synchronization, and the synchronization. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Dispatch, useReducer } from 'react';
import {
  type ConvertedFiles,
  type NewSource,
  previewSynchronization,
  type SyncReport,
  type SyncRequest,
} from '@/api/generated';
import { reportOfNew } from '@/core/importing/selection';

/** What decides about rows that exist in the files and on the map. A change of it needs a new preview. */
export interface SyncOptions {
  source: NewSource;
  /** Whether rows of the map with the same name become those of the source. */
  adopt: boolean;
  /** Whether rows that are gone from the files are deleted. */
  prune: boolean;
  allowMassRemoval: boolean;
  /** Whether components and relationships that were only observed are drawn. */
  draw: boolean;
  /** Keys in the files of components that had another key before. */
  renames: Readonly<Record<string, string>>;
}

export function useSyncOptions(source: NewSource, adopt: boolean) {
  const start: SyncOptions = {
    source,
    adopt,
    prune: false,
    allowMassRemoval: false,
    draw: false,
    renames: {},
  };
  const merge = (before: SyncOptions, change: Partial<SyncOptions>) => ({ ...before, ...change });
  return useReducer(merge, start);
}

export type ChangeOptions = Dispatch<Partial<SyncOptions>>;

export function requestOf({ reading, notRead }: ConvertedFiles, options: SyncOptions): SyncRequest {
  const { source, adopt, prune, allowMassRemoval, draw, renames } = options;
  return {
    source: notRead.length > 0 ? { ...source, notRead } : source,
    reading,
    adopt,
    ...(prune ? { prune } : {}),
    ...(allowMassRemoval ? { allowMassRemoval } : {}),
    ...(draw ? { draw } : {}),
    ...(Object.keys(renames).length > 0 ? { renames: { ...renames } } : {}),
  };
}

/** The preview. Without a workspace, that of an import into a new one. */
export function useSyncPreview(workspaceId: string | null, read: ConvertedFiles, options: SyncOptions) {
  return useQuery({
    // Files that are read again are read into another object, so they need no place in the key: the dialog is new then.
    queryKey: ['sync-preview', workspaceId, options],
    queryFn: ({ signal }): Promise<SyncReport> | SyncReport =>
      workspaceId === null
        ? reportOfNew(read.reading, options.source)
        : previewSynchronization(workspaceId, requestOf(read, options), { signal, timeout: 0 }),
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}
