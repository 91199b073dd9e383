/** All accessible workspaces of the organization. */

import { Compass, FileUp, Plus, RotateCcw } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { usePageCommands } from '@/actions/pageCommands';
import { createWorkspace, deleteWorkspace, type ListedWorkspace, listWorkspaces } from '@/api/generated';
import { truncate } from '@/core/text';
import { invalidateWorkspaces } from '@/data/invalidateWorkspaces';
import { useOrganizations, useWorkspaces } from '@/data/queries';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { useTitle } from '@/routing/useTitle';
import { useFileDrop } from '@/screens/import/useFileDrop';
import { Shell } from '@/screens/shell/Shell';
import { Button } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';
import { LoadError } from '@/ui/LoadError';
import { Loading } from '@/ui/Loading';
import { SearchField } from '@/ui/SearchField';
import { showError, showToast } from '@/ui/Toasts';
import { CreateDialog } from './CreateDialog';
import { DeletedDialog, restoreDeleted } from './DeletedDialog';
import { DetailsDialog } from './DetailsDialog';
import { DuplicateDialog } from './DuplicateDialog';
import { recentlyOpened } from './recentlyOpened';
import { sortWorkspaces, type WorkspaceOrder } from './sortWorkspaces';
import { type CardActions, WorkspaceCard } from './WorkspaceCard';
import styles from './Workspaces.module.css';

/** Import code is loaded on demand. */
const ImportDialog = lazy(() =>
  import('@/screens/import/ImportDialog').then((module) => ({ default: module.ImportDialog })),
);

const NO_FILES: readonly File[] = [];

type OpenDialog =
  | { dialog: 'create' | 'deleted' }
  | { dialog: 'import'; files?: readonly File[] }
  | { dialog: 'details' | 'duplicate' | 'import-over'; workspace: ListedWorkspace };

export function Workspaces() {
  const { data, error, refetch } = useWorkspaces();
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const slug = useOrgSlug();
  const organization = useOrganizations().data?.organizations.find(
    (organization) => organization.slug === slug,
  )?.name;
  useTitle(organization && `Workspaces · ${organization}`);
  // Maps may have changed since their digests were loaded.
  useEffect(() => void invalidateWorkspaces(), []);
  const actions: CardActions = {
    onChange: (workspace) => setOpen({ dialog: 'details', workspace }),
    onImport: (workspace) => setOpen({ dialog: 'import-over', workspace }),
    onDelete: (workspace) => void remove(workspace),
    onDuplicate: (workspace) => setOpen({ dialog: 'duplicate', workspace }),
  };
  usePageCommands([
    { id: 'workspaces.new', title: 'New workspace', icon: Plus, run: () => setOpen({ dialog: 'create' }) },
    { id: 'workspaces.import', title: 'Import file', icon: FileUp, run: () => setOpen({ dialog: 'import' }) },
    {
      id: 'workspaces.deleted',
      title: 'Show deleted workspaces',
      icon: RotateCcw,
      run: () => setOpen({ dialog: 'deleted' }),
    },
  ]);
  const tools = (
    <>
      <Button
        kind="quiet"
        aria-label="Deleted workspaces"
        title="Deleted workspaces"
        icon={<RotateCcw size={18} aria-hidden />}
        onClick={() => setOpen({ dialog: 'deleted' })}
      >
        <span className={styles.widest}>Deleted workspaces</span>
      </Button>
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
  const isOver = useFileDrop((files) => setOpen({ dialog: 'import', files }));
  return (
    <Shell middle={<h1>Workspaces</h1>} tools={tools}>
      {isOver && (
        <div className={styles.dropHint} aria-hidden>
          Drop files to import them as a workspace
        </div>
      )}
      {error && !data && <LoadError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what="workspaces" />}
      {data?.workspaces.length === 0 && (
        <FirstSteps
          onCreate={() => setOpen({ dialog: 'create' })}
          onImport={() => setOpen({ dialog: 'import' })}
        />
      )}
      {data && data.workspaces.length > 0 && <List workspaces={data.workspaces} actions={actions} />}
      {open?.dialog === 'create' && (
        <CreateDialog onClose={close} onImport={() => setOpen({ dialog: 'import' })} />
      )}
      {open?.dialog === 'deleted' && <DeletedDialog onClose={close} />}
      {open?.dialog === 'duplicate' && <DuplicateDialog workspace={open.workspace} onClose={close} />}
      {open?.dialog === 'details' && <DetailsDialog workspace={open.workspace} onClose={close} />}
      <Suspense>
        {open?.dialog === 'import' && <ImportDialog files={open.files ?? NO_FILES} onClose={close} />}
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
            Sort by{' '}
            <select value={order} onChange={(event) => setOrder(event.target.value as WorkspaceOrder)}>
              <option value="opened">Recently opened</option>
              <option value="changed">Recently changed</option>
              <option value="name">Name</option>
            </select>
          </label>
          <span className={styles.count} role="status">
            {shown.length === workspaces.length
              ? `${shown.length} ${shown.length === 1 ? 'workspace' : 'workspaces'}`
              : `${shown.length} of ${workspaces.length}`}
          </span>
        </div>
        {shown.length === 0 && (
          <EmptyState title="No matching workspaces">
            <p>No workspace matches “{truncate(text, 100)}” by name or description.</p>
            <Button onClick={() => setText('')}>Clear search</Button>
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

function FirstSteps({ onCreate, onImport }: { onCreate: () => void; onImport: () => void }) {
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
    <EmptyState title="No workspaces yet" icon={<Compass size={36} aria-hidden />}>
      <p>
        A workspace is a map of your software: its components, how they connect, who owns them, and the
        processes that run through them.
      </p>
      <p>The fastest way to get started is the sample workspace, which shows how Wikipedia works.</p>
      <div className={styles.ways}>
        <Button kind="main" busy={busy} onClick={() => void sample()}>
          Create sample workspace
        </Button>
        <Button onClick={onCreate}>Create blank workspace</Button>
        <Button onClick={onImport}>Import file</Button>
      </div>
    </EmptyState>
  );
}

/** Deletes a workspace and shows a toast with Restore. */
async function remove({ id, name }: ListedWorkspace): Promise<void> {
  try {
    await deleteWorkspace(id);
    await invalidateWorkspaces();
    const back = async () => {
      const { workspaces } = await listWorkspaces({ deleted: true });
      const latest = workspaces
        .filter((workspace) => workspace.id === id)
        .sort((a, b) => (b.deletedAt ?? 0) - (a.deletedAt ?? 0))[0];
      if (latest) await restoreDeleted(latest);
    };
    showToast(`Deleted “${truncate(name, 80)}”. You can restore it for 30 days.`, {
      label: 'Restore',
      run: () => void back().catch(showError),
    });
  } catch (error) {
    showError(error);
  }
}
