/** The open workspace, whichever of its screens is shown. */
import { lazy, Suspense, useEffect } from 'react';
import { Link, Route, Switch } from 'wouter';
import { ExportMenu } from '@/actions/ExportMenu';
import { NotFound } from '@/app/NotFound';
import { useSegment, useSegments, workspacePath } from '@/app/paths';
import { directoryChanged } from '@/app/queries';
import { Shell, Tab } from '@/app/Shell';
import { useTitle } from '@/app/useTitle';
import { announce, announcer } from '@/plan/announce';
import { follow } from '@/plan/follow';
import { handOver } from '@/plan/outboxes';
import { reset, usePlan } from '@/plan/store';
import { wasOpened } from '@/screens/workspaces/recent';
import { Notice } from '@/ui/Notice';
import { Waiting } from '@/ui/Waiting';
import { Lost } from './Lost';
import { PastBanner } from './PastBanner';
import { People } from './People';
import styles from './plan.module.css';
import { SaveState } from './SaveState';

const loadMap = () => import('@/screens/map/MapScreen');
const MapScreen = lazy(loadMap);
const Table = lazy(() => import('@/screens/table/Table'));
const Processes = lazy(() => import('@/screens/processes/Processes'));
const HistoryScreen = lazy(() => import('@/screens/history/History'));

/** The path segment that selects the screen. */
const SCREEN = 4;

const TABS = [
  { path: '', name: 'Map' },
  { path: 'table', name: 'Table' },
  { path: 'processes', name: 'Processes' },
  { path: 'history', name: 'History' },
] as const;

export default function Plan() {
  const workspaceId = useSegment(3) ?? '';
  useEffect(() => {
    // Load the screens while the workspace loads.
    void loadMap();
    reset(workspaceId);
    wasOpened(workspaceId);
    const stop = new AbortController();
    void follow(workspaceId, stop.signal, directoryChanged);
    const stopAnnouncing = announce(workspaceId);
    return () => {
      // Pending input belongs to this workspace, so it is flushed before another one opens.
      handOver();
      stop.abort();
      stopAnnouncing();
    };
  }, [workspaceId]);
  useAnnouncedView(workspaceId);
  const name = usePlan((plan) => plan.rows?.workspace.name);
  const isMissing = usePlan((plan) => plan.status === 'missing');
  const pageName = usePageName(name);
  useTitle(isMissing ? 'Workspace not found' : pageName);
  // Navigation and actions of a workspace need one.
  if (isMissing) {
    return (
      <Shell>
        <Opened />
      </Shell>
    );
  }
  return (
    <Shell
      middle={<h1>{name}</h1>}
      tabs={{ of: 'Workspace views', links: <Tabs workspaceId={workspaceId} /> }}
      tools={<Tools />}
    >
      <Opened />
    </Shell>
  );
}

/** The title of this page; undefined while the workspace loads. */
function usePageName(name: string | undefined): string | undefined {
  const part = useSegment(4);
  const processId = useSegment(5) ?? '';
  const process = usePlan((plan) => plan.rows?.process.get(processId)?.name);
  if (name === undefined) return undefined;
  const page = (part === 'processes' && process) || TABS.find(({ path }) => path && path === part)?.name;
  return page ? `${page} · ${name}` : name;
}

/** Announces to others which part of the workspace the user looks at. */
function useAnnouncedView(workspaceId: string): void {
  const view = useSegments().slice(SCREEN).filter(Boolean).join('/') || 'map';
  // biome-ignore lint/correctness/useExhaustiveDependencies: another workspace has another announcer
  useEffect(() => announcer()?.tell({ view }), [view, workspaceId]);
}

function Tools() {
  return (
    <>
      <People />
      <SaveState />
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

function Opened() {
  const status = usePlan((plan) => plan.status);
  const problem = usePlan((plan) => plan.problem);
  if (status === 'missing') {
    return (
      <Notice title="Workspace not found">
        <p>It was deleted, or it is not shared with you. Ask the person who sent you the link.</p>
        <Lost />
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
  if (status === 'loading') return <Waiting what="the workspace" />;
  return (
    <div className={styles.opened}>
      <PastBanner />
      <div className={styles.screen}>
        <Suspense fallback={<Waiting what="this page" />}>
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
