/** Loads how the open workspace differs from its sources, and again after changes while the map shows it. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ListedSource } from '@/api/generated';
import { driftIndex, NO_DRIFT } from '@/core/model/drift';
import { queryClient } from '@/data/queries';
import { driftQuery, sourceKeys, useSources } from '@/data/sources';
import { useDriftIndex } from '@/workspace/drift';
import { useWorkspace } from '@/workspace/store';
import { isDriftOpen } from './driftUrl';
import { useView } from './view';

/** How long the map must be unchanged before the server compares it again, in milliseconds. */
const REST_MS = 2_000;

const NO_SOURCES: readonly ListedSource[] = [];

/** The drift report. Not loaded for workspaces without sources. */
export function useDriftReport(isWanted = true) {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const sources = useSources(workspaceId).data?.sources ?? NO_SOURCES;
  return useQuery({
    ...driftQuery(workspaceId, sources),
    enabled: isWanted && sources.length > 0,
    placeholderData: keepPreviousData,
    // The map may have changed a moment ago.
    refetchOnMount: 'always',
  });
}

/** Keeps the drift of the open workspace. To be used once. Past states have none. */
export function useLoadedDrift(): void {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const isPast = useWorkspace((state) => state.past !== null);
  const { data: sources } = useSources(workspaceId);
  const { data: report } = useDriftReport(!isPast);
  useRefresh(workspaceId);
  const hasSources = (sources?.sources.length ?? 0) > 0;
  useEffect(() => {
    const isKnown = hasSources && report && !isPast;
    useDriftIndex.setState({ index: isKnown ? driftIndex(report.findings, true) : NO_DRIFT });
    return () => useDriftIndex.setState({ index: NO_DRIFT });
  }, [hasSources, report, isPast]);
}

/** Whether the map shows more of the drift than what is gone from code, which only a synchronization changes. */
function isDriftShown(): boolean {
  const { lens, filters } = useView.getState();
  return lens === 'drift' || filters.drift.size > 0 || isDriftOpen(location.search);
}

/** Asks for new synchronizations when the map has changed, and compares again if the comparison is shown. */
function useRefresh(workspaceId: string): void {
  const revision = useWorkspace((state) => state.serverRows?.revision);
  const known = useRef<{ workspaceId: string; revision: number | undefined }>({ workspaceId: '', revision });
  useEffect(() => {
    const before = known.current;
    if (revision === undefined) return;
    known.current = { workspaceId, revision };
    if (before.workspaceId !== workspaceId || before.revision === revision) return;
    const timer = setTimeout(() => {
      void queryClient.invalidateQueries({ queryKey: sourceKeys.sources(workspaceId) });
      if (isDriftShown()) void queryClient.invalidateQueries({ queryKey: sourceKeys.drift(workspaceId) });
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [revision, workspaceId]);
}
