/** How the open workspace differs from its sources, kept up to date while it is shown. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import type { Drift } from '@/api/sync';
import { type DriftIndex, driftIndex, NO_DRIFT } from '@/core/model/drift';
import { queryClient } from '@/data/queries';
import { driftQuery, sourceKeys, useSources } from '@/data/sources';
import { useWorkspace } from './store';

/** How long changes of the map must rest before the server compares it again, in milliseconds. */
const REST_MS = 2_000;

/** Drift by row, for the drawing of the map. */
export const useDriftIndex = create<{ index: DriftIndex }>()(() => ({ index: NO_DRIFT }));

export function currentDrift(): DriftIndex {
  return useDriftIndex.getState().index;
}

/** The drift report. Not loaded for workspaces without sources. */
export function useDriftReport(isWanted = true) {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const hasSources = (useSources(workspaceId).data?.sources.length ?? 0) > 0;
  return useQuery<Drift>({
    ...driftQuery(workspaceId),
    enabled: isWanted && hasSources,
    // The map may have changed a moment ago.
    refetchOnMount: 'always',
  });
}

/**
 * Loads the drift of the open workspace for the map, and again after changes. Past states have none. To be used once.
 */
export function useLoadedDrift(): void {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const isPast = useWorkspace((state) => state.past !== null);
  const { data: sources } = useSources(workspaceId);
  const { data: report } = useDriftReport(!isPast);
  useRefresh(workspaceId);
  useEffect(() => {
    const hasSources = (sources?.sources.length ?? 0) > 0;
    const index = hasSources && report && !isPast ? driftIndex(report.findings, hasSources) : NO_DRIFT;
    useDriftIndex.setState({ index });
    return () => useDriftIndex.setState({ index: NO_DRIFT });
  }, [sources, report, isPast]);
}

/** Compares again when the map has changed. The event stream reports synchronizations by others as changes too. */
function useRefresh(workspaceId: string): void {
  const revision = useWorkspace((state) => state.serverRows?.revision);
  const known = useRef<{ workspaceId: string; revision: number | undefined }>({ workspaceId: '', revision });
  useEffect(() => {
    const before = known.current;
    if (revision === undefined) return;
    known.current = { workspaceId, revision };
    if (before.workspaceId !== workspaceId || before.revision === revision) return;
    const timer = setTimeout(() => {
      for (const key of [sourceKeys.sources, sourceKeys.drift]) {
        void queryClient.invalidateQueries({ queryKey: key(workspaceId) });
      }
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [revision, workspaceId]);
}
