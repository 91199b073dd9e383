/** Other people in this workspace, as avatars in the bar. Selecting one shows the part of the map they are viewing. */
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import type { Presence } from '@/api/generated';
import { useSession } from '@/api/session';
import { formatCount } from '@/core/text';
import { useUserAvatar } from '@/data/photos';
import { useView } from '@/map/state/view';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { Avatar } from '@/ui/Avatar';
import { Menu, MenuItem } from '@/ui/Menu';
import { useWorkspace } from '@/workspace/store';
import styles from './workspace.module.css';

/** Maximum number of avatars; the rest are in the menu. */
const MAX_AVATARS = 3;

const VIEW_NAMES: Readonly<Record<string, string>> = {
  map: 'on the map',
  v: 'in a view',
  table: 'in the table',
  processes: 'in processes',
  decisions: 'in decisions',
  drafts: 'in drafts',
  changes: 'in the changes',
  history: 'in history',
};

export function ActiveUsers() {
  const present = useWorkspace((state) => state.present);
  const own = useSession((state) => state.user?.id);
  const people = useMemo(() => byPerson(present, own), [present, own]);
  const goTo = useGoTo();
  const avatarOf = useUserAvatar();
  if (people.length === 0) return null;
  const names = people.map(({ user }) => user.displayName).join(', ');
  return (
    <Menu
      trigger={
        <button type="button" className={styles.people} title={names}>
          <span className="unseen">
            {formatCount(people.length, 'other person', 'other people')} here: {names}
          </span>
          {people.slice(0, MAX_AVATARS).map(({ user }) => (
            <Avatar key={user.id} {...avatarOf(user)} />
          ))}
          {people.length > MAX_AVATARS && (
            <span className={styles.more} aria-hidden>
              +{people.length - MAX_AVATARS}
            </span>
          )}
        </button>
      }
    >
      {people.map((presence) => (
        <MenuItem
          key={presence.user.id}
          icon={<Avatar {...avatarOf(presence.user)} size="small" />}
          onSelect={() => goTo(presence)}
        >
          {presence.user.displayName} <span className={styles.soft}>{viewName(presence)}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}

function viewName({ view }: Presence): string {
  return VIEW_NAMES[(view ?? '').split('/')[0] ?? ''] ?? 'in this workspace';
}

/** Each person once, at their latest position, excluding the current user's other windows. */
function byPerson(present: readonly Presence[], own: number | undefined): Presence[] {
  const latest = new Map<number, Presence>();
  for (const presence of present) {
    if (presence.user.id !== own && (latest.get(presence.user.id)?.at ?? 0) <= presence.at)
      latest.set(presence.user.id, presence);
  }
  return [...latest.values()].sort((a, b) => a.user.id - b.user.id);
}

function useGoTo(): (presence: Presence) => void {
  const [, navigate] = useLocation();
  const slug = useOrgSlug();
  return ({ view, selected, pointer }) => {
    const { workspaceId, rows } = useWorkspace.getState();
    const parts = (view ?? 'map').split('/');
    // Personal views are announced without their ID.
    const isMap = parts[0] === 'map' || view === 'v';
    navigate(workspacePath(slug, workspaceId, ...(isMap ? [] : parts)));
    if (!isMap && parts[0] !== 'v') return;
    const ids = selected.filter(({ kind }) => kind === 'component').map(({ id }) => id);
    const near =
      ids.length === 0 && pointer && rows ? nearest([...rows.component.values()], pointer) : undefined;
    const targets = ids.length > 0 ? ids : near ? [near] : [];
    whenCamera(
      (camera) => (targets.length === 1 ? camera.reveal(targets[0] ?? '') : camera.fit(targets)),
      targets,
    );
  };
}

type MapCamera = NonNullable<ReturnType<typeof useView.getState>['camera']>;

/** The map may not be loaded yet. */
function whenCamera(look: (camera: MapCamera) => void, componentIds: readonly string[]): void {
  if (componentIds.length === 0) return;
  const { camera } = useView.getState();
  if (camera) {
    look(camera);
    return;
  }
  const stop = useView.subscribe((view) => {
    if (!view.camera) return;
    stop();
    look(view.camera);
  });
  setTimeout(stop, 3_000);
}

function nearest(components: readonly { id: string; x: number; y: number }[], to: { x: number; y: number }) {
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const { id, x, y } of components) {
    const distance = (x - to.x) ** 2 + (y - to.y) ** 2;
    if (distance < least) [best, least] = [id, distance];
  }
  return best;
}
