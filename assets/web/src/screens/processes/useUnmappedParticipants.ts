/** The number of unmapped participants of each process. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { listProcesses, type ProcessReading } from '@/api/generated';
import { useWorkspace } from '@/workspace/store';

/** The participants of each process as parsed by the server, reloaded after a change. */
function useProcessReadings(): readonly ProcessReading[] {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const revision = useWorkspace((state) => {
    let latest = 0;
    for (const process of state.serverRows?.process.values() ?? [])
      latest = Math.max(latest, process.revision);
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

/** By process ID, computed from the current map, so that deleted components are counted immediately. */
export function useUnmappedParticipants(): ReadonlyMap<string, number> {
  const readings = useProcessReadings();
  const processes = useWorkspace((state) => state.rows?.process);
  const components = useWorkspace((state) => state.rows?.component);
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
