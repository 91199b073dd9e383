/** The texts of decisions, which are loaded one at a time, and the import of their files. */
import { useQuery } from '@tanstack/react-query';
import { getDecision, type ImportedDecisions, importDecisions } from '@/api/generated';
import { useSession } from '@/api/session';
import type { DecisionRow } from '@/core/sync/rows';

/** The text of a decision; undefined while it is loading. */
export function useDecisionBody(workspaceId: string, row: DecisionRow) {
  const orgId = useSession((state) => state.session?.orgId ?? '');
  const { data, error } = useQuery({
    queryKey: [orgId, 'decision', workspaceId, row.id, row.revision],
    queryFn: () => getDecision(workspaceId, row.id),
    enabled: row.body === undefined,
  });
  return { body: row.body ?? data?.decision.body, error };
}

/** Imports files as decisions. */
export async function importFiles(workspaceId: string, files: readonly File[]): Promise<ImportedDecisions> {
  const read = files.map(async (file) => ({ name: file.name, text: await file.text() }));
  return importDecisions(workspaceId, { files: await Promise.all(read) });
}
