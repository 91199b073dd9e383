/** The number of unmapped participants of each process. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { listProcesses, type ProcessReading } from '@/api/generated';
import { usePlan } from '@/plan/store';

/** The participants of each process as parsed by the server, read again after a change. */
function useLifelines(): readonly ProcessReading[] {
  const workspaceId = usePlan((plan) => plan.workspaceId);
  const revision = usePlan((plan) => {
    let latest = 0;
    for (const process of plan.told?.process.values() ?? []) latest = Math.max(latest, process.revision);
    return latest;
  });
  const { data } = useQuery({
    queryKey: ['processes', workspaceId, revision],
    queryFn: () => listProcesses(workspaceId).then(({ processes }) => processes),
    enabled: revision > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });
  return data ?? [];
}

/** By process id, computed from the current map, so that deleted components count immediately. */
export function useUnmapped(): ReadonlyMap<string, number> {
  const readings = useLifelines();
  const processes = usePlan((plan) => plan.rows?.process);
  const components = usePlan((plan) => plan.rows?.component);
  return useMemo(() => {
    const counts = new Map<string, number>();
    for (const { id, lifelines } of readings) {
      const participants = processes?.get(id)?.participants;
      if (!participants) continue;
      const missing = lifelines.filter(({ alias }) => !components?.has(participants[alias] ?? ''));
      counts.set(id, missing.length);
    }
    return counts;
  }, [readings, processes, components]);
}
