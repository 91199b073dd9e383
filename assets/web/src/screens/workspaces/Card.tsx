/** The card of a workspace: small map, name, access level and last change. */
import {
  Download,
  EllipsisVertical,
  Eye,
  FileUp,
  Lock,
  Pencil,
  Rows3,
  Trash2,
  UserCheck,
  Users,
} from 'lucide-react';
import { Link, useLocation } from 'wouter';
import type { ListedWorkspace } from '@/api/generated';
import { useOrgSlug, workspacePath } from '@/app/paths';
import { usePeople } from '@/app/queries';
import { IconButton } from '@/ui/Button';
import { Menu, MenuItem, MenuLine } from '@/ui/Menu';
import { complain } from '@/ui/Toasts';
import { When } from '@/ui/When';
import styles from './Card.module.css';
import { SmallMap } from './SmallMap';
import { LEVELS, VISIBILITIES } from './words';

/** The actions of a card. */
export interface CardActs {
  onChange: (workspace: ListedWorkspace) => void;
  onImport: (workspace: ListedWorkspace) => void;
  onDelete: (workspace: ListedWorkspace) => void;
}

const SEEN_BY = { org: Users, members: UserCheck, private: Lock };

export function Card({ workspace, acts }: { workspace: ListedWorkspace; acts: CardActs }) {
  const slug = useOrgSlug();
  const visibility = VISIBILITIES.find(({ id }) => id === workspace.visibility);
  const SeenBy = SEEN_BY[workspace.visibility];
  const Level = workspace.myRole === 'viewer' ? Eye : Pencil;
  return (
    <article className={styles.card}>
      <SmallMap workspace={workspace} />
      <div className={styles.text}>
        <h2 className={styles.name}>
          <Link href={workspacePath(slug, workspace.id)} className={styles.link} title={workspace.name}>
            {workspace.name}
          </Link>
        </h2>
        <CardMenu workspace={workspace} acts={acts} />
        <p className={styles.description}>
          {workspace.description || <span className={styles.soft}>No description</span>}
        </p>
        <p className={styles.facts}>
          {workspace.myRole && (
            <span>
              <Level size={14} aria-hidden /> {LEVELS[workspace.myRole]}
            </span>
          )}
          <span title={visibility?.meaning}>
            <SeenBy size={14} aria-hidden /> {visibility?.name}
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
      <When time={updatedAt} />
      {by && ` by ${by}`}
    </span>
  );
}

function CardMenu({ workspace, acts }: { workspace: ListedWorkspace; acts: CardActs }) {
  const [, navigate] = useLocation();
  const slug = useOrgSlug();
  const mayEdit = workspace.myRole === 'editor' || workspace.myRole === 'owner';
  const trigger = (
    <IconButton
      className={styles.menu}
      label={`Actions for ${workspace.name.slice(0, 80)}`}
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
        icon={<Pencil size={16} aria-hidden />}
        disabled={!mayEdit}
        onSelect={() => acts.onChange(workspace)}
      >
        Edit details…
      </MenuItem>
      <MenuLine />
      <MenuItem icon={<Download size={16} aria-hidden />} onSelect={() => takeHome('exportJson', workspace)}>
        Export workspace as JSON
      </MenuItem>
      <MenuItem icon={<Download size={16} aria-hidden />} onSelect={() => takeHome('exportCsv', workspace)}>
        Export components as CSV
      </MenuItem>
      <MenuItem
        icon={<FileUp size={16} aria-hidden />}
        disabled={!mayEdit}
        onSelect={() => acts.onImport(workspace)}
      >
        Replace from file…
      </MenuItem>
      <MenuLine />
      <MenuItem
        icon={<Trash2 size={16} aria-hidden />}
        danger
        disabled={workspace.myRole !== 'owner'}
        onSelect={() => acts.onDelete(workspace)}
      >
        {workspace.myRole === 'owner' ? 'Delete workspace' : 'Delete workspace (owners only)'}
      </MenuItem>
    </Menu>
  );
}

/** Export code is loaded on demand. */
function takeHome(how: 'exportJson' | 'exportCsv', workspace: ListedWorkspace): void {
  import('./exports').then((exports) => exports[how](workspace)).catch(complain);
}
