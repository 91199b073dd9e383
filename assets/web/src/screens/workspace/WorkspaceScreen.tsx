/** One workspace: opened and followed here, whichever of its screens is shown. */
import { lazy, Suspense, useEffect } from 'react';
import { Link, Route, Switch } from 'wouter';
import { invalidateDirectory } from '@/data/queries';
import { useSegment, useSegments, workspacePath } from '@/routing/paths';
import { useTitle } from '@/routing/useTitle';
import { NotFound } from '@/screens/shell/NotFound';
import { Shell, Tab } from '@/screens/shell/Shell';
import { recordOpened } from '@/screens/workspaces/recentlyOpened';
import { Loading } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { followWorkspace } from '@/workspace/follow';
import { flushPendingInputs } from '@/workspace/outboxes';
import { presenceAnnouncer, startPresence } from '@/workspace/presence';
import { resetWorkspace, useWorkspace } from '@/workspace/store';
import { ActiveUsers } from './ActiveUsers';
import { ExportMenu } from './ExportMenu';
import { PastStateBanner } from './PastStateBanner';
import { SaveStatus } from './SaveStatus';
import { UnreachableWorkspace } from './UnreachableWorkspace';
import styles from './workspace.module.css';

const loadMap = () => import('@/screens/map/MapScreen');
const MapScreen = lazy(loadMap);
const Table = lazy(() => import('@/screens/table/Table'));
const Processes = lazy(() => import('@/screens/processes/Processes'));
const HistoryScreen = lazy(() => import('@/screens/history/History'));

/** Which part of the address says which screen of the workspace is shown. */
const SCREEN = 4;

const TABS = [
  { path: '', name: 'Map' },
  { path: 'table', name: 'Table' },
  { path: 'processes', name: 'Processes' },
  { path: 'history', name: 'History' },
] as const;

export default function WorkspaceScreen() {
  const workspaceId = useSegment(3) ?? '';
  useEffect(() => {
    // While the workspace is read, what shows it is fetched.
    void loadMap();
    resetWorkspace(workspaceId);
    recordOpened(workspaceId);
    const stop = new AbortController();
    void followWorkspace(workspaceId, stop.signal, invalidateDirectory);
    const stopAnnouncing = startPresence(workspaceId);
    return () => {
      // What was typed a moment ago belongs to this workspace: later, another may be open.
      flushPendingInputs();
      stop.abort();
      stopAnnouncing();
    };
  }, [workspaceId]);
  useAnnouncedView(workspaceId);
  const name = useWorkspace((state) => state.rows?.workspace.name);
  const isMissing = useWorkspace((state) => state.status === 'missing');
  const pageName = usePageName(name);
  useTitle(isMissing ? 'No such workspace' : pageName);
  // What leads about in a workspace, and what can be done with it, is of no use without one.
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
      tabs={{ of: 'Parts of the workspace', links: <Tabs workspaceId={workspaceId} /> }}
      tools={<Tools />}
    >
      <OpenedWorkspace />
    </Shell>
  );
}

/** What this page of the workspace is called; nothing while the workspace is read. */
function usePageName(name: string | undefined): string | undefined {
  const part = useSegment(4);
  const processId = useSegment(5) ?? '';
  const process = useWorkspace((state) => state.rows?.process.get(processId)?.name);
  if (name === undefined) return undefined;
  const page = (part === 'processes' && process) || TABS.find(({ path }) => path && path === part)?.name;
  return page ? `${page} · ${name}` : name;
}

/** Others see which part of the workspace one looks at. */
function useAnnouncedView(workspaceId: string): void {
  const view = useSegments().slice(SCREEN).filter(Boolean).join('/') || 'map';
  // biome-ignore lint/correctness/useExhaustiveDependencies: another workspace has another announcer
  useEffect(() => presenceAnnouncer()?.tell({ view }), [view, workspaceId]);
}

function Tools() {
  return (
    <>
      <ActiveUsers />
      <SaveStatus />
      <ExportMenu />
    </>
  );
}

function Tabs({ workspaceId }: { workspaceId: string }) {
  const [, org = ''] = useSegments();
  const shown = useSegment(SCREEN) ?? '';
  return TABS.map(({ path, name }) => (
    <Tab key={path} href={workspacePath(org, workspaceId, ...(path ? [path] : []))} current={shown === path}>
      {name}
    </Tab>
  ));
}

function OpenedWorkspace() {
  const status = useWorkspace((state) => state.status);
  const problem = useWorkspace((state) => state.problem);
  if (status === 'missing') {
    return (
      <Notice title="There is no such workspace">
        <p>It was deleted, or it is not shared with you. Ask whoever gave you the address.</p>
        <UnreachableWorkspace />
        <p>
          <Link href="/">Go to your workspaces</Link>
        </p>
      </Notice>
    );
  }
  if (status === 'failed') {
    return (
      <Notice title="The workspace could not be read yet">
        <p role="status">{problem} Trying again …</p>
      </Notice>
    );
  }
  if (status === 'loading') return <Loading what="the workspace" />;
  return (
    <div className={styles.opened}>
      <PastStateBanner />
      <div className={styles.screen}>
        <Suspense fallback={<Loading what="this page" />}>
          <Switch>
            <Route path="/o/:org/w/:workspace" component={MapScreen} />
            <Route path="/o/:org/w/:workspace/table" component={Table} />
            <Route path="/o/:org/w/:workspace/processes/:process?" component={Processes} />
            <Route path="/o/:org/w/:workspace/history" component={HistoryScreen} />
            <Route component={NotFound} />
          </Switch>
        </Suspense>
      </div>
    </div>
  );
}
