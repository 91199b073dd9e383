/** All maps of the organization that one may see. */

import { Compass, FileUp, Plus, RotateCcw } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { createWorkspace, deleteWorkspace, type ListedWorkspace, listWorkspaces } from '@/api/generated';
import { truncate } from '@/core/text';
import { useOrganizations, useWorkspaces } from '@/data/queries';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { useTitle } from '@/routing/useTitle';
import { Shell } from '@/screens/shell/Shell';
import { Button, IconButton } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';
import { LoadError } from '@/ui/LoadError';
import { Loading } from '@/ui/Loading';
import { SearchField } from '@/ui/SearchField';
import { showError, showToast } from '@/ui/Toasts';
import { CreateDialog } from './CreateDialog';
import { DeletedDialog, restoreDeleted } from './DeletedDialog';
import { DetailsDialog } from './DetailsDialog';
import { invalidateWorkspaces } from './invalidate';
import { recentlyOpened } from './recentlyOpened';
import { sortWorkspaces, type WorkspaceOrder } from './sortWorkspaces';
import { type CardActions, WorkspaceCard } from './WorkspaceCard';
import styles from './Workspaces.module.css';

/** Reading files is needed by few, and comes when it is. */
const ImportDialog = lazy(() =>
  import('./ImportDialog').then((module) => ({ default: module.ImportDialog })),
);

type OpenDialog =
  | { dialog: 'create' | 'import' | 'deleted' }
  | { dialog: 'details' | 'import-over'; workspace: ListedWorkspace };

export function Workspaces() {
  const { data, error, refetch } = useWorkspaces();
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const slug = useOrgSlug();
  const organization = useOrganizations().data?.organizations.find((one) => one.slug === slug)?.name;
  useTitle(organization && `Workspaces · ${organization}`);
  // One comes here from a map that one has just changed: what was read before is not what it looks like now.
  useEffect(() => void invalidateWorkspaces(), []);
  const actions: CardActions = {
    onChange: (workspace) => setOpen({ dialog: 'details', workspace }),
    onImport: (workspace) => setOpen({ dialog: 'import-over', workspace }),
    onDelete: (workspace) => void remove(workspace),
  };
  const tools = (
    <>
      <IconButton
        label="Deleted workspaces"
        icon={<RotateCcw size={18} aria-hidden />}
        onClick={() => setOpen({ dialog: 'deleted' })}
      />
      <Button
        aria-label="Import"
        icon={<FileUp size={18} aria-hidden />}
        onClick={() => setOpen({ dialog: 'import' })}
      >
        <span className={styles.wide}>Import</span>
      </Button>
      <Button
        kind="main"
        aria-label="New workspace"
        icon={<Plus size={18} aria-hidden />}
        onClick={() => setOpen({ dialog: 'create' })}
      >
        <span className={styles.wide}>New workspace</span>
      </Button>
    </>
  );
  const close = () => setOpen(null);
  return (
    <Shell middle={<h1>Workspaces</h1>} tools={tools}>
      {error && !data && <LoadError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what="workspaces" />}
      {data?.workspaces.length === 0 && <FirstSteps onImport={() => setOpen({ dialog: 'import' })} />}
      {data && data.workspaces.length > 0 && <List workspaces={data.workspaces} actions={actions} />}
      {open?.dialog === 'create' && (
        <CreateDialog onClose={close} onImport={() => setOpen({ dialog: 'import' })} />
      )}
      {open?.dialog === 'deleted' && <DeletedDialog onClose={close} />}
      {open?.dialog === 'details' && <DetailsDialog workspace={open.workspace} onClose={close} />}
      <Suspense>
        {open?.dialog === 'import' && <ImportDialog onClose={close} />}
        {open?.dialog === 'import-over' && <ImportDialog over={open.workspace} onClose={close} />}
      </Suspense>
    </Shell>
  );
}

function List({ workspaces, actions }: { workspaces: readonly ListedWorkspace[]; actions: CardActions }) {
  const [text, setText] = useState('');
  const [order, setOrder] = useState<WorkspaceOrder>('opened');
  const shown = useMemo(
    () => sortWorkspaces(workspaces, text, order, recentlyOpened()),
    [workspaces, text, order],
  );
  return (
    <div className={styles.page}>
      <div className={styles.inner}>
        <div className={styles.bar}>
          <SearchField
            label="Search workspaces"
            placeholder="Search by name or description"
            value={text}
            onChange={setText}
            className={styles.search}
          />
          <label className={styles.sort}>
            Order
            <select value={order} onChange={(event) => setOrder(event.target.value as WorkspaceOrder)}>
              <option value="opened">Opened last</option>
              <option value="changed">Changed last</option>
              <option value="name">By name</option>
            </select>
          </label>
          <span className={styles.count} role="status">
            {shown.length === workspaces.length
              ? `${shown.length} ${shown.length === 1 ? 'workspace' : 'workspaces'}`
              : `${shown.length} of ${workspaces.length}`}
          </span>
        </div>
        {shown.length === 0 && (
          <EmptyState title="No workspace is called that">
            <p>Nothing matches “{truncate(text, 100)}” by name or description.</p>
            <Button onClick={() => setText('')}>Show all</Button>
          </EmptyState>
        )}
        <ul className={styles.cards}>
          {shown.map((workspace) => (
            <li key={workspace.id}>
              <WorkspaceCard workspace={workspace} actions={actions} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function FirstSteps({ onImport }: { onImport: () => void }) {
  const [, navigate] = useLocation();
  const slug = useOrgSlug();
  const [busy, setBusy] = useState(false);
  const sample = async () => {
    setBusy(true);
    try {
      const { workspace } = await createWorkspace({ name: 'Sample', sample: true });
      await invalidateWorkspaces();
      navigate(workspacePath(slug, workspace.id));
    } catch (error) {
      showError(error);
      setBusy(false);
    }
  };
  return (
    <EmptyState title="No map here yet" icon={<Compass size={36} aria-hidden />}>
      <p>
        A workspace is one map: the components your system is made of, how they relate, who answers for each,
        and the processes that run through them.
      </p>
      <p>The quickest way to see what that means is the sample, a shop of well-known parts.</p>
      <div className={styles.ways}>
        <Button kind="main" busy={busy} onClick={() => void sample()}>
          Try the sample
        </Button>
        <Button onClick={onImport}>Import a file</Button>
      </div>
    </EmptyState>
  );
}

/** Deletes it, with the way back in the note that says so. */
async function remove({ id, name }: ListedWorkspace): Promise<void> {
  try {
    await deleteWorkspace(id);
    await invalidateWorkspaces();
    const back = async () => {
      const { workspaces } = await listWorkspaces({ deleted: true });
      const latest = workspaces
        .filter((one) => one.id === id)
        .sort((a, b) => (b.deletedAt ?? 0) - (a.deletedAt ?? 0))[0];
      if (latest) await restoreDeleted(latest);
    };
    showToast(`Deleted “${truncate(name, 80)}”. It can be restored for 30 days.`, {
      label: 'Restore',
      run: () => void back().catch(showError),
    });
  } catch (error) {
    showError(error);
  }
}
