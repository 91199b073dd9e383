/** The open workspace, shared by all its screens. */
import { lazy, Suspense, useEffect } from 'react';
import { Link, Route, Switch } from 'wouter';
import { invalidateDirectory, preloadCatalogue, useKinds } from '@/data/queries';
import { isMapScreen } from '@/map/state/location';
import { useOpenView } from '@/map/state/openView';
import { setSelection } from '@/map/state/view';
import { useSegment, useSegments, workspacePath } from '@/routing/paths';
import { useTitle } from '@/routing/useTitle';
import { UndoButtons } from '@/screens/commands/UndoButtons';
import { DraftChoiceDialog } from '@/screens/drafts/DraftChoiceDialog';
import { ProtectedNotice } from '@/screens/drafts/ProtectedNotice';
import { StartDraftDialog } from '@/screens/drafts/StartDraftDialog';
import { MapScreen } from '@/screens/map/MapScreen';
import { NotFound } from '@/screens/shell/NotFound';
import { Shell, Tab } from '@/screens/shell/Shell';
import { recordOpened } from '@/screens/workspaces/recentlyOpened';
import { Loading } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { useBaseId } from '@/workspace/draftRequest';
import { followWorkspace } from '@/workspace/follow';
import { useCanEdit } from '@/workspace/model';
import { flushPendingInputs } from '@/workspace/outboxes';
import { loadPersonalViews } from '@/workspace/personalViews';
import { presenceAnnouncer, startPresence } from '@/workspace/presence';
import { resetWorkspace, useWorkspace } from '@/workspace/store';
import { AccessRequestsButton } from './AccessRequestsButton';
import { ActiveUsers } from './ActiveUsers';
import { ExportMenu } from './ExportMenu';
import { ImportButton } from './ImportButton';
import { ImportFiles } from './ImportFiles';
import { PastStateBanner } from './PastStateBanner';
import { SaveStatus } from './SaveStatus';
import { ShareButton } from './share/ShareButton';
import { ShareDialog } from './share/ShareDialog';
import { SourcesDialog } from './sources/SourcesDialog';
import { UnreachableWorkspace } from './UnreachableWorkspace';
import styles from './workspace.module.css';

const Table = lazy(() => import('@/screens/table/Table'));
const Processes = lazy(() => import('@/screens/processes/Processes'));
const Decisions = lazy(() => import('@/screens/decisions/Decisions'));
const HistoryScreen = lazy(() => import('@/screens/history/History'));
const Drafts = lazy(() => import('@/screens/drafts/Drafts'));
const DraftChanges = lazy(() => import('@/screens/drafts/DraftPage'));
const DraftBanner = lazy(() => import('@/screens/drafts/DraftBanner'));

/** The path segment that selects the screen. */
const SCREEN = 4;

const TABS = [
  { path: '', name: 'Map' },
  { path: 'table', name: 'Table' },
  { path: 'processes', name: 'Processes' },
  { path: 'decisions', name: 'Decisions' },
  { path: 'history', name: 'History' },
] as const;

/** The last tab: the drafts of a workspace, or what a draft changes. */
const DRAFTS_TAB = { path: 'drafts', name: 'Drafts' } as const;
const CHANGES_TAB = { path: 'changes', name: 'Changes' } as const;

export default function WorkspaceScreen() {
  const workspaceId = useSegment(3) ?? '';
  useEffect(() => {
    // Otherwise, the map would first be painted without colors.
    preloadCatalogue();
    // Other workspaces can have items with the same IDs. The URL has the selection of what it opens.
    if (useWorkspace.getState().workspaceId !== workspaceId) setSelection([]);
    resetWorkspace(workspaceId);
    recordOpened(workspaceId);
    const stop = new AbortController();
    void loadPersonalViews(workspaceId);
    void followWorkspace(workspaceId, stop.signal, invalidateDirectory);
    const stopAnnouncing = startPresence(workspaceId);
    return () => {
      // Pending input belongs to this workspace, so flush it before another one opens.
      flushPendingInputs();
      stop.abort();
      stopAnnouncing();
    };
  }, [workspaceId]);
  useAnnouncedView(workspaceId);
  useKinds();
  const name = useWorkspace((state) => state.rows?.workspace.name);
  const isMissing = useWorkspace((state) => state.status === 'missing');
  const pageName = usePageName(name);
  useTitle(isMissing ? 'Workspace not found' : pageName);
  // Navigation and actions require a workspace.
  if (isMissing) {
    return (
      <Shell>
        <OpenedWorkspace />
      </Shell>
    );
  }
  return (
    <Shell
      middle={<h1>{name}</h1>}
      tabs={{ of: 'Workspace', links: <Tabs workspaceId={workspaceId} /> }}
      tools={<Tools />}
    >
      <OpenedWorkspace />
    </Shell>
  );
}

/** The title of this page; undefined while the workspace is loading. */
function usePageName(name: string | undefined): string | undefined {
  const part = useSegment(4);
  const rowId = useSegment(5) ?? '';
  const process = useWorkspace((state) => state.rows?.process.get(rowId)?.name);
  const decision = useWorkspace((state) => state.rows?.decision.get(rowId)?.title);
  const view = useViewName();
  const isDraft = useBaseId() !== undefined;
  if (name === undefined) return undefined;
  const page =
    (part === 'processes' && process) ||
    (part === 'decisions' && decision) ||
    view ||
    [...TABS, DRAFTS_TAB, CHANGES_TAB].find(({ path }) => path && path === part)?.name;
  const title = isDraft ? `${name} (draft)` : name;
  return page ? `${page} · ${title}` : title;
}

/** The name of the open view. */
function useViewName(): string | undefined {
  return useOpenView()?.view.name;
}

/** Announces to other users which part of the workspace this user is viewing. */
function useAnnouncedView(workspaceId: string): void {
  const screen = useSegments().slice(SCREEN).filter(Boolean).join('/') || 'map';
  // Personal views concern only their user.
  const view = screen.startsWith('v/~') ? 'v' : screen;
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run for each workspace
  useEffect(() => presenceAnnouncer()?.update({ view }), [view, workspaceId]);
}

function Tools() {
  // The map has these buttons in its toolbar.
  const isMap = isMapScreen(useSegments().slice(SCREEN).filter(Boolean).join('/'));
  const canEdit = useCanEdit();
  return (
    <>
      <ActiveUsers />
      <ProtectedNotice />
      <AccessRequestsButton />
      {canEdit && !isMap && (
        <span className={styles.undo}>
          <UndoButtons />
        </span>
      )}
      <SaveStatus />
      <ShareButton />
      {canEdit && <ImportButton />}
      <ExportMenu />
      <ShareDialog />
      <SourcesDialog />
      <ImportFiles />
      <StartDraftDialog />
      <DraftChoiceDialog />
    </>
  );
}

function Tabs({ workspaceId }: { workspaceId: string }) {
  const [, org = ''] = useSegments();
  const screen = useSegment(SCREEN) ?? '';
  const isDraft = useBaseId() !== undefined;
  return [...TABS, isDraft ? CHANGES_TAB : DRAFTS_TAB].map(({ path, name }) => (
    <Tab
      key={path}
      href={workspacePath(org, workspaceId, ...(path ? [path] : []))}
      current={screen === path || (path === '' && screen === 'v')}
    >
      {name}
    </Tab>
  ));
}

/** The banner of a draft has its height before it is loaded, so that the screen does not move. */
function Banners() {
  const isDraft = useBaseId() !== undefined;
  return (
    <div>
      {isDraft && (
        <Suspense fallback={<div className={styles.draftBanner} />}>
          <DraftBanner />
        </Suspense>
      )}
      <PastStateBanner />
    </div>
  );
}

function OpenedWorkspace() {
  const status = useWorkspace((state) => state.status);
  const problem = useWorkspace((state) => state.problem);
  if (status === 'missing') {
    return (
      <Notice title="Workspace not found">
        <p>It was deleted, or it is not shared with you. Ask the person who sent you the link.</p>
        <UnreachableWorkspace />
        <p>
          <Link href="/">Go to your workspaces</Link>
        </p>
      </Notice>
    );
  }
  if (status === 'failed') {
    return (
      <Notice title="Could not load the workspace">
        <p role="status">{problem} Retrying…</p>
      </Notice>
    );
  }
  if (status === 'loading') return <Loading what="the workspace" />;
  return (
    <div className={styles.opened}>
      <Banners />
      <div className={styles.screen}>
        <Suspense fallback={<Loading what="this page" />}>
          <Switch>
            <Route path="/o/:org/w/:workspace" component={MapScreen} />
            <Route path="/o/:org/w/:workspace/v/:view" component={MapScreen} />
            <Route path="/o/:org/w/:workspace/table" component={Table} />
            <Route path="/o/:org/w/:workspace/processes/:process?" component={Processes} />
            <Route path="/o/:org/w/:workspace/decisions/:decision?" component={Decisions} />
            <Route path="/o/:org/w/:workspace/history" component={HistoryScreen} />
            <Route path="/o/:org/w/:workspace/drafts/:draft?" component={Drafts} />
            <Route path="/o/:org/w/:workspace/changes" component={DraftChanges} />
            <Route component={NotFound} />
          </Switch>
        </Suspense>
      </div>
    </div>
  );
}
