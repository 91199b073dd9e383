/** The bar above the map: tabs of the recent views, or the way back, and what can be done with the open view. */
import { BookmarkPlus, ChevronRight, Ellipsis, Layers, ListChecks, User, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { saveAsView } from '@/actions/views';
import { formatCount } from '@/core/text';
import { acceptNewMembers } from '@/map/edits/views';
import { useOpenView, viewAt } from '@/map/state/openView';
import { addRecentView, closeRecentView, loadRecentViews, useRecentViews } from '@/map/state/recentViews';
import { useViewContents } from '@/map/state/viewContents';
import { openViewDialog } from '@/map/state/viewDialogs';
import { goBackTo, goToView, MAP_ADDRESS, useTrail, viewPath } from '@/map/state/viewNavigation';
import { Button, IconButton } from '@/ui/Button';
import { Menu } from '@/ui/Menu';
import { useCanEdit } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { useViews } from './useViews';
import styles from './ViewBar.module.css';
import { ViewMenuItems } from './ViewMenuItems';

export function ViewBar() {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const { shared, personal } = useViews();
  const open = useOpenView();
  const address = open?.address;
  useEffect(() => {
    loadRecentViews(workspaceId);
    if (address) addRecentView(address);
  }, [workspaceId, address]);
  if (shared.length + personal.length === 0) return null;
  return (
    <div className={styles.bar} data-view-bar>
      <Way address={address} />
      <div className={styles.tools}>{open ? <OpenViewTools /> : <MapTools />}</div>
    </div>
  );
}

/** The way that led to the view, if it was opened from a component, and otherwise tabs. */
function Way({ address }: { address: string | undefined }) {
  const { to, from } = useTrail();
  if (address === undefined || to !== address || from.length === 0) return <Tabs address={address} />;
  return (
    <nav className={styles.trail} aria-label="Breadcrumbs">
      {from.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a view can be on the way several times
        <span key={index} className={styles.step}>
          <button type="button" className={styles.back} onClick={() => goBackTo(index)}>
            {nameOf(step)}
          </button>
          <ChevronRight size={14} aria-hidden />
        </span>
      ))}
      <span className={styles.here} aria-current="page">
        {nameOf(address)}
      </span>
    </nav>
  );
}

function nameOf(address: string): string {
  return address === MAP_ADDRESS ? 'All' : (viewAt(address)?.name ?? address);
}

function Tabs({ address }: { address: string | undefined }) {
  const addresses = useRecentViews((state) => state.addresses);
  const tabs = addresses.flatMap((one) => {
    const view = viewAt(one);
    return view ? [{ address: one, view }] : [];
  });
  const list = useRef<HTMLElement>(null);
  const isListed = address !== undefined && addresses.includes(address);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is current if the address or the list changes
  useEffect(() => {
    list.current?.querySelector('[data-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [address, isListed]);
  return (
    <nav ref={list} className={styles.tabs} aria-label="Recent views">
      <Link
        href={viewPath(null)}
        className={styles.tab}
        aria-current={address === undefined ? 'page' : undefined}
      >
        <Layers size={15} aria-hidden />
        All
      </Link>
      {tabs.map(({ address: one, view }) => (
        <span key={one} className={styles.tab} data-current={one === address || undefined}>
          <Link
            href={viewPath(one)}
            className={styles.name}
            title={view.description || view.name}
            aria-current={one === address ? 'page' : undefined}
          >
            {one.startsWith('~') && <User size={14} aria-label="Personal" />}
            {view.name}
          </Link>
          <button
            type="button"
            className={styles.close}
            aria-label={`Close tab ${view.name}`}
            title="Close tab"
            onClick={() => {
              closeRecentView(one);
              if (one === address) goToView(null);
            }}
          >
            <X size={13} aria-hidden />
          </button>
        </span>
      ))}
    </nav>
  );
}

function MapTools() {
  const isPast = useWorkspace((state) => state.past !== null);
  if (isPast) return null;
  return (
    <Button
      kind="quiet"
      className={styles.tool}
      icon={<BookmarkPlus size={16} aria-hidden />}
      onClick={saveAsView}
    >
      <span className={styles.toolText}>Save as view</span>
    </Button>
  );
}

function OpenViewTools() {
  const open = useOpenView();
  const contents = useViewContents();
  const canEdit = useCanEdit();
  const isPast = useWorkspace((state) => state.past !== null);
  const notes = useWorkspace((state) => state.rows?.note.size ?? 0);
  if (!open) return null;
  const canChange = (canEdit || open.isPersonal) && !isPast;
  const added = contents?.unplaced.size ?? 0;
  return (
    <>
      {contents && (
        <span className={styles.count} role="status">
          {formatCount(contents.members.size, 'component')}
        </span>
      )}
      {open.layout && notes > 0 && (
        <span
          className={styles.count}
          title="Notes and frames have positions on the map. This view has its own positions, so it does not show them."
        >
          {formatCount(notes, 'note')} hidden
        </span>
      )}
      {added > 0 && (
        <span className={styles.added}>
          {added} new
          {canChange && (
            <button
              type="button"
              className={styles.accept}
              title="Keep the new components where they are, without the mark"
              onClick={() => acceptNewMembers()}
            >
              Accept all
            </button>
          )}
        </span>
      )}
      {canChange && (
        <Button
          kind="quiet"
          className={`${styles.tool} ${styles.rules}`}
          icon={<ListChecks size={16} aria-hidden />}
          title="Edit rules of this view"
          onClick={() => openViewDialog({ kind: 'rules' })}
        >
          <span className={styles.toolText}>Rules</span>
        </Button>
      )}
      <Menu trigger={<IconButton label="View menu" icon={<Ellipsis size={18} aria-hidden />} />}>
        <ViewMenuItems address={open.address} />
      </Menu>
    </>
  );
}
