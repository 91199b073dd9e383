/** Watches a workspace, a component, or the components of a team, or stops watching it. */
import { Eye, EyeOff } from 'lucide-react';
import {
  unwatchComponent,
  unwatchTeam,
  unwatchWorkspace,
  watchComponent,
  watchTeam,
  watchWorkspace,
} from '@/api/generated';
import { invalidateWatches, useIsWatched, type WatchTarget } from '@/data/inbox';
import { Button } from '@/ui/Button';
import { showError } from '@/ui/Toasts';
import { useAction } from '@/ui/useAction';

const NAMES: Record<WatchTarget['type'], string> = {
  workspace: 'workspace',
  component: 'component',
  team: 'components of team',
};

export function WatchButton({ target }: { target: WatchTarget }) {
  const isWatched = useIsWatched(target);
  const { busy, run } = useAction();
  if (isWatched === undefined) return null;
  const toggle = () =>
    run(async () => {
      await change(target, !isWatched).catch(showError);
      await invalidateWatches();
    });
  return (
    <Button
      busy={busy}
      aria-pressed={isWatched}
      title={isWatched ? undefined : 'Get notifications about changes by others'}
      icon={isWatched ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
      onClick={() => void toggle()}
    >
      {isWatched ? 'Stop watching' : `Watch ${NAMES[target.type]}`}
    </Button>
  );
}

async function change({ type, workspaceId = '', id = '' }: WatchTarget, isWatched: boolean): Promise<void> {
  if (type === 'workspace') await (isWatched ? watchWorkspace : unwatchWorkspace)(workspaceId);
  else if (type === 'component') await (isWatched ? watchComponent : unwatchComponent)(workspaceId, id);
  else await (isWatched ? watchTeam : unwatchTeam)(id);
}
