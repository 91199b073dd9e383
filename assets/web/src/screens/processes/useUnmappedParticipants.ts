/** How many participants of each process are no component of the map. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { listProcesses, type ProcessReading } from '@/api/generated';
import { useWorkspace } from '@/workspace/store';

/** Those who take part in each process, as the server reads them; again when a process has changed. */
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

/** By process: counted against the map as it is now, so that a deleted component shows at once. */
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
