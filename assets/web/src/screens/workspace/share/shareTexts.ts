/** What a share link shows, in words. */
import type { ShareLink } from '@/api/generated';
import { formatCount } from '@/core/text';
import { useWorkspace } from '@/workspace/store';

export function useShareTarget({ scope, viewId, processId, componentIds = [] }: ShareLink): string {
  const view = useWorkspace((state) => (viewId ? state.rows?.view.get(viewId)?.name : undefined));
  const process = useWorkspace((state) => (processId ? state.rows?.process.get(processId)?.name : undefined));
  if (scope === 'view') return view ? `View “${view}”` : 'A deleted view';
  if (scope === 'process') return process ? `Process “${process}”` : 'A deleted process';
  return scope === 'part' ? formatCount(componentIds.length, 'component') : 'The whole map';
}
