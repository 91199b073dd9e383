/** Shows that the open workspace is a draft: its title, state and actions. */
import { Ellipsis, GitCompareArrows, GitPullRequestDraft } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link, useSearch } from 'wouter';
import { errorText } from '@/api/errors';
import type { Draft } from '@/api/generated';
import { describeCounts } from '@/core/drafts/changes';
import { isEnded } from '@/core/drafts/states';
import { invalidateDraftMap, useDraft, useDraftComparison } from '@/data/drafts';
import { useWorkspaces } from '@/data/queries';
import { closeDraftComparison, isDraftComparisonOpen, openDraftComparison } from '@/map/state/draftUrl';
import { isMapScreen } from '@/map/state/location';
import { useOrgSlug, useSegments, workspacePath } from '@/routing/paths';
import { Button, IconButton } from '@/ui/Button';
import { Menu, MenuItem, MenuSeparator } from '@/ui/Menu';
import { useBaseId } from '@/workspace/draftRequest';
import { useWorkspace } from '@/workspace/store';
import styles from './DraftBanner.module.css';
import { StateBadge } from './StateBadge';
import { type DraftAction, useDraftActions } from './useDraftActions';

export default function DraftBanner() {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const baseId = useBaseId();
  const { data: draft, error } = useDraft(baseId === undefined ? null : workspaceId);
  useRefresh(baseId === undefined ? '' : workspaceId);
  if (baseId === undefined) return null;
  if (!draft) {
    return (
      <section className={styles.banner} aria-label="Draft">
        <GitPullRequestDraft size={18} aria-hidden className={styles.icon} />
        <span className={styles.text} role="status">
          {error ? `Could not load the draft: ${errorText(error)}` : 'Draft'}
        </span>
      </section>
    );
  }
  return <Banner draft={draft} />;
}

/** Compares again after the map of the draft has changed. */
function useRefresh(draftId: string): void {
  const revision = useWorkspace((state) => state.serverRows?.revision ?? 0);
  const seen = useRef({ draftId, revision });
  useEffect(() => {
    const { current } = seen;
    if (current.draftId === draftId && current.revision === revision) return;
    const isLoaded = current.draftId === draftId && current.revision > 0;
    seen.current = { draftId, revision };
    if (draftId && isLoaded) invalidateDraftMap(draftId, draftId);
  }, [draftId, revision]);
}

function Banner({ draft }: { draft: Draft }) {
  const slug = useOrgSlug();
  const [, , , , ...rest] = useSegments();
  const search = useSearch();
  const isMap = isMapScreen(rest.filter(Boolean).join('/'));
  const isComparing = isMap && isDraftComparisonOpen(search);
  const baseName = useBaseName(draft.workspaceId);
  const { main, others, dialog } = useDraftActions(draft);
  const { id, number, title, workspaceId, isBehind } = draft;
  const Main = main?.icon;
  return (
    <section className={styles.banner} aria-label="Draft" data-ended={isEnded(draft) || undefined}>
      <GitPullRequestDraft size={18} aria-hidden className={styles.icon} />
      <div className={styles.text}>
        <Link href={workspacePath(slug, id, 'changes')} className={styles.title} title={title}>
          {title}
        </Link>
        <span className={styles.facts}>
          <StateBadge draft={draft} />
          <span>
            Draft #{number} of <Link href={workspacePath(slug, workspaceId)}>{baseName}</Link>
          </span>
          <Counts draft={draft} />
          {isBehind && !isEnded(draft) && <span className={styles.behind}>Workspace has changed</span>}
        </span>
      </div>
      <div className={styles.buttons}>
        <Button
          icon={<GitCompareArrows size={16} aria-hidden />}
          aria-pressed={isComparing}
          className={styles.compare}
          onClick={() => (isComparing ? closeDraftComparison() : openDraftComparison())}
        >
          Compare
        </Button>
        {main && (
          <Button kind="main" icon={Main && <Main size={16} aria-hidden />} onClick={main.run}>
            {main.title}
          </Button>
        )}
        <ActionMenu actions={others} />
      </div>
      {dialog}
    </section>
  );
}

/** The other actions on a draft. */
export function ActionMenu({ actions }: { actions: readonly DraftAction[] }) {
  if (actions.length === 0) return null;
  return (
    <Menu trigger={<IconButton label="More draft actions" icon={<Ellipsis size={18} aria-hidden />} />}>
      {actions.map(({ id, title, icon: Icon, isDanger, run }) => [
        isDanger && <MenuSeparator key={`${id} line`} />,
        <MenuItem key={id} icon={<Icon size={16} aria-hidden />} danger={isDanger} onSelect={run}>
          {title}
        </MenuItem>,
      ])}
    </Menu>
  );
}

function Counts({ draft: { id } }: { draft: Draft }) {
  const { data } = useDraftComparison(id);
  if (!data) return null;
  return <span className={styles.counts}>{describeCounts(data) || 'No changes yet'}</span>;
}

/** The name of the base; its ID while the list of workspaces is loading. */
export function useBaseName(workspaceId: string): string {
  const { data } = useWorkspaces();
  return data?.workspaces.find(({ id }) => id === workspaceId)?.name ?? workspaceId;
}
