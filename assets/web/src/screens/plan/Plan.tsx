/** One workspace: opened and followed here, whichever of its screens is shown. */
import { lazy, Suspense, useEffect } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { ExportMenu } from '@/actions/ExportMenu';
import { NotFound } from '@/app/NotFound';
import { useOrgSlug, useSegment, workspacePath } from '@/app/paths';
import { directoryChanged } from '@/app/queries';
import { Shell, Tab } from '@/app/Shell';
import { announce, announcer } from '@/plan/announce';
import { follow } from '@/plan/follow';
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

const TABS = [
  { path: '', name: 'Map' },
  { path: 'table', name: 'Table' },
  { path: 'processes', name: 'Processes' },
  { path: 'history', name: 'History' },
] as const;

export default function Plan() {
  const workspaceId = useSegment(3) ?? '';
  useEffect(() => {
    // While the workspace is read, what shows it is fetched.
    void loadMap();
    reset(workspaceId);
    wasOpened(workspaceId);
    const stop = new AbortController();
    void follow(workspaceId, stop.signal, directoryChanged);
    const stopAnnouncing = announce(workspaceId);
    return () => {
      stop.abort();
      stopAnnouncing();
    };
  }, [workspaceId]);
  useAnnouncedView(workspaceId);
  return (
    <Shell middle={<Tabs workspaceId={workspaceId} />} tools={<Tools />}>
      <Opened />
    </Shell>
  );
}

/** Others see which part of the workspace one looks at. */
function useAnnouncedView(workspaceId: string): void {
  const [path] = useLocation();
  const root = workspacePath(useOrgSlug(), workspaceId);
  const view = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : 'map';
  // biome-ignore lint/correctness/useExhaustiveDependencies: another workspace has another announcer
  useEffect(() => announcer()?.tell({ view: decodeURIComponent(view) }), [view, workspaceId]);
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
  const [path] = useLocation();
  const slug = useOrgSlug();
  const name = usePlan((plan) => plan.rows?.workspace.name);
  const root = workspacePath(slug, workspaceId);
  return (
    <>
      <h1 style={{ fontSize: 'var(--size-3)', paddingInline: 'var(--gap-2)', whiteSpace: 'nowrap' }}>
        {name}
      </h1>
      {TABS.map((tab) => {
        const href = tab.path ? `${root}/${tab.path}` : root;
        const current = tab.path ? path.startsWith(href) : path === root;
        return (
          <Tab key={tab.path} href={href} current={current}>
            {tab.name}
          </Tab>
        );
      })}
    </>
  );
}

function Opened() {
  const status = usePlan((plan) => plan.status);
  const problem = usePlan((plan) => plan.problem);
  if (status === 'missing') {
    return (
      <Notice title="There is no such workspace">
        <p>It was deleted, or it is not shared with you. Ask whoever gave you the address.</p>
        <Lost />
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
