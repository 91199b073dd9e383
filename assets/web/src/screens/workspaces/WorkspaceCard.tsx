/** The card of a workspace: thumbnail, name, access level and last change. */

import {
  CopyPlus,
  Download,
  EllipsisVertical,
  Eye,
  FileUp,
  GitPullRequestDraft,
  Lock,
  Pencil,
  Rows3,
  Trash2,
  UserCheck,
  Users,
} from 'lucide-react';
import { Link, useLocation } from 'wouter';
import type { ListedWorkspace } from '@/api/generated';
import { sharingOption } from '@/core/model/sharing';
import { truncate } from '@/core/text';
import { usePeople } from '@/data/queries';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { IconButton } from '@/ui/Button';
import { Menu, MenuItem, MenuSeparator } from '@/ui/Menu';
import { RelativeTime } from '@/ui/RelativeTime';
import { showError } from '@/ui/Toasts';
import { LEVELS } from './labels';
import { MapThumbnail } from './MapThumbnail';
import styles from './WorkspaceCard.module.css';

/** The actions of a card. */
export interface CardActions {
  onChange: (workspace: ListedWorkspace) => void;
  onImport: (workspace: ListedWorkspace) => void;
  onDelete: (workspace: ListedWorkspace) => void;
  onDuplicate: (workspace: ListedWorkspace) => void;
}

const VISIBLE_TO = { org: Users, members: UserCheck, private: Lock };

export function WorkspaceCard({ workspace, actions }: { workspace: ListedWorkspace; actions: CardActions }) {
  const slug = useOrgSlug();
  const sharing = sharingOption(workspace);
  const SeenBy = VISIBLE_TO[workspace.visibility];
  const Level = workspace.myRole === 'viewer' ? Eye : Pencil;
  return (
    <article className={styles.card}>
      <MapThumbnail workspace={workspace} />
      <div className={styles.text}>
        <h2 className={styles.name}>
          <Link href={workspacePath(slug, workspace.id)} className={styles.link} title={workspace.name}>
            {workspace.name}
          </Link>
        </h2>
        <CardMenu workspace={workspace} actions={actions} />
        <p className={styles.description}>
          {workspace.description || <span className={styles.soft}>No description</span>}
        </p>
        <p className={styles.facts}>
          {workspace.myRole && (
            <span>
              <Level size={14} aria-hidden /> {LEVELS[workspace.myRole]}
            </span>
          )}
          <span title={sharing.meaning}>
            <SeenBy size={14} aria-hidden /> {sharing.name}
          </span>
          <Changed workspace={workspace} />
        </p>
      </div>
    </article>
  );
}

function Changed({ workspace: { updatedAt, updatedBy } }: { workspace: ListedWorkspace }) {
  const people = usePeople().data?.people;
  const by = updatedBy && people?.find(({ userId }) => userId === updatedBy)?.name;
  return (
    <span className={styles.changed}>
      <RelativeTime time={updatedAt} />
      {by && ` by ${by}`}
    </span>
  );
}

function CardMenu({ workspace, actions }: { workspace: ListedWorkspace; actions: CardActions }) {
  const [, navigate] = useLocation();
  const slug = useOrgSlug();
  const mayEdit = workspace.myRole === 'editor' || workspace.myRole === 'owner';
  const trigger = (
    <IconButton
      className={styles.menu}
      label={`Actions for ${truncate(workspace.name, 80)}`}
      icon={<EllipsisVertical size={18} aria-hidden />}
    />
  );
  return (
    <Menu trigger={trigger}>
      <MenuItem
        icon={<Rows3 size={16} aria-hidden />}
        onSelect={() => navigate(workspacePath(slug, workspace.id, 'table'))}
      >
        Open as table
      </MenuItem>
      <MenuItem
        icon={<GitPullRequestDraft size={16} aria-hidden />}
        onSelect={() => navigate(workspacePath(slug, workspace.id, 'drafts'))}
      >
        Show drafts
      </MenuItem>
      <MenuItem
        icon={<Pencil size={16} aria-hidden />}
        disabled={!mayEdit}
        onSelect={() => actions.onChange(workspace)}
      >
        Edit details…
      </MenuItem>
      <MenuItem icon={<CopyPlus size={16} aria-hidden />} onSelect={() => actions.onDuplicate(workspace)}>
        Duplicate…
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<Download size={16} aria-hidden />}
        onSelect={() => downloadWorkspace('exportJson', workspace)}
      >
        Export workspace as JSON
      </MenuItem>
      <MenuItem
        icon={<Download size={16} aria-hidden />}
        onSelect={() => downloadWorkspace('exportCsv', workspace)}
      >
        Export components as CSV
      </MenuItem>
      <MenuItem
        icon={<FileUp size={16} aria-hidden />}
        disabled={!mayEdit}
        onSelect={() => actions.onImport(workspace)}
      >
        Replace from file…
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<Trash2 size={16} aria-hidden />}
        danger
        disabled={workspace.myRole !== 'owner'}
        onSelect={() => actions.onDelete(workspace)}
      >
        {workspace.myRole === 'owner' ? 'Delete workspace' : 'Delete workspace (owners only)'}
      </MenuItem>
    </Menu>
  );
}

/** Export code is loaded on demand. */
function downloadWorkspace(how: 'exportJson' | 'exportCsv', workspace: ListedWorkspace): void {
  import('./exports').then((exports) => exports[how](workspace)).catch(showError);
}
