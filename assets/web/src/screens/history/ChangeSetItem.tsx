/** A change set in the history: author, time, details per field, and actions. */
import { Bot, ChevronRight, Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { PastChange } from '@/api/generated';
import { useSession } from '@/api/session';
import { changedFields } from '@/core/difference/difference';
import {
  describeChangeSet,
  type PastChangeSet,
  type RowNameLookup,
  rowName,
} from '@/core/history/changeSets';
import { fieldLabel, formatValue, shorten } from '@/core/sync/describe';
import type { Fields } from '@/core/sync/operation';
import { formatDateTime } from '@/core/time/format';
import { useUserAvatar } from '@/data/photos';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { Avatar } from '@/ui/Avatar';
import { IconButton } from '@/ui/Button';
import { Menu, MenuItem, MenuSeparator } from '@/ui/Menu';
import { RelativeTime } from '@/ui/RelativeTime';
import { statesQuery, type UrlStates } from '@/workspace/pastState';
import { useWorkspace } from '@/workspace/store';
import { showUndoError, undoPastChangeSet } from '@/workspace/undo';
import styles from './history.module.css';
import { RestoreDialog } from './RestoreDialog';

interface Props {
  changeSet: PastChangeSet;
  nameOf: RowNameLookup;
  /** The oldest revision that can still be displayed. */
  oldest: number;
  /** The entry selected for comparison. */
  base: PastChangeSet | null;
  onMark: (changeSet: PastChangeSet) => void;
}

/** Maximum number of changes listed. */
const MAX_SHOWN_CHANGES = 50;

export function ChangeSetItem({ changeSet, nameOf, ...rest }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [isRestoring, setRestoring] = useState(false);
  const avatarOf = useUserAvatar();
  const { actor, ts, changes, via, reason } = changeSet;
  const actorName = actor?.displayName ?? 'System';
  const description = describeChangeSet(changeSet, nameOf);
  return (
    <li className={styles.changeSet}>
      {actor ? (
        <Avatar {...avatarOf(actor)} />
      ) : (
        <span className={styles.system}>
          <Bot size={18} aria-hidden />
        </span>
      )}
      <button
        type="button"
        className={styles.description}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight size={16} className={styles.arrow} aria-hidden />
        <span>
          <strong>{actorName}</strong> {description}
          {via === 'mcp' && <span className={styles.soft}> via an assistant</span>}
          {reason && <span className={styles.reason}>“{reason}”</span>}
        </span>
      </button>
      <RelativeTime className={styles.time} time={ts} />
      <Actions changeSet={changeSet} label={description} onRestore={() => setRestoring(true)} {...rest} />
      {isRestoring && (
        <RestoreDialog
          state={String(changeSet.after)}
          name={`the state of ${formatDateTime(ts)}`}
          onClose={() => setRestoring(false)}
        />
      )}
      {isOpen && (
        <ul className={styles.details}>
          {changes.slice(0, MAX_SHOWN_CHANGES).map((change) => (
            <Detail key={change.id} change={change} nameOf={nameOf} />
          ))}
          {changes.length > MAX_SHOWN_CHANGES && (
            <li className={styles.soft}>… and {changes.length - MAX_SHOWN_CHANGES} more</li>
          )}
        </ul>
      )}
    </li>
  );
}

function Actions({
  changeSet,
  label,
  oldest,
  base,
  onMark,
  onRestore,
}: Omit<Props, 'nameOf'> & { label: string; onRestore: () => void }) {
  const [, navigate] = useLocation();
  const slug = useOrgSlug();
  const own = useSession((state) => state.user?.id);
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const canEdit = useWorkspace((state) => (state.rows?.workspace.myRole ?? 'viewer') !== 'viewer');
  const show = (states: Partial<UrlStates>) =>
    navigate(workspacePath(slug, workspaceId) + statesQuery(states));
  const isKnown = changeSet.after >= oldest;
  const isWorkspace = changeSet.changes.every(({ entity }) => entity === 'member');
  const isFounding = changeSet.changes.some(({ entity, op }) => entity === 'workspace' && op === 'create');
  const hasBefore = changeSet.before >= oldest && changeSet.before > 0 && !isFounding;
  const [first, second] =
    base && base.after > changeSet.after
      ? [changeSet.after, base.after]
      : [base?.after ?? 0, changeSet.after];
  return (
    <Menu trigger={<IconButton label={`Actions for: ${label}`} icon={<Ellipsis size={18} aria-hidden />} />}>
      <MenuItem disabled={!isKnown} onSelect={() => show({ at: String(changeSet.after) })}>
        View map at this point
      </MenuItem>
      <MenuItem
        disabled={!hasBefore}
        onSelect={() => show({ at: String(changeSet.after), since: String(changeSet.before) })}
      >
        Show change on map
      </MenuItem>
      <MenuItem disabled={!isKnown} onSelect={() => show({ since: String(changeSet.after) })}>
        Compare with current
      </MenuItem>
      <MenuSeparator />
      {base && base.changeSetId !== changeSet.changeSetId ? (
        <MenuItem disabled={!isKnown} onSelect={() => show({ since: String(first), at: String(second) })}>
          Compare with selected
        </MenuItem>
      ) : (
        <MenuItem disabled={!isKnown} onSelect={() => onMark(changeSet)}>
          Select for comparison
        </MenuItem>
      )}
      {canEdit && (
        <>
          <MenuSeparator />
          <MenuItem disabled={!isKnown} onSelect={onRestore}>
            Restore this state…
          </MenuItem>
        </>
      )}
      {changeSet.actor?.id === own && canEdit && !isWorkspace && !isFounding && (
        <MenuItem
          onSelect={() =>
            void undoPastChangeSet({ changeSetId: changeSet.changeSetId, label }).catch(showUndoError)
          }
        >
          Undo
        </MenuItem>
      )}
    </Menu>
  );
}

const VERBS: Readonly<Record<string, string>> = { create: 'added', delete: 'removed', update: 'changed' };

function Detail({ change, nameOf }: { change: PastChange; nameOf: RowNameLookup }) {
  const { before, row, op, entity } = change;
  const fields = op === 'update' && before && row ? changedFields(before as Fields, row as Fields) : [];
  return (
    <li>
      <span>
        {entity} {rowName(change, nameOf)} {VERBS[op] ?? op}
      </span>
      {fields.length > 0 && (
        <dl className={styles.fields}>
          {fields.map((field) => (
            <div key={field}>
              <dt>{fieldLabel(field)}</dt>
              <dd>
                <del>{shorten(formatValue(field, valueAt(before as Fields, field)))}</del>{' '}
                <span aria-hidden>→</span>{' '}
                <ins>{shorten(formatValue(field, valueAt(row as Fields, field)))}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

function valueAt(row: Fields, field: string): unknown {
  if (!field.startsWith('properties.')) return row[field];
  return (row.properties as Fields | undefined)?.[field.slice('properties.'.length)];
}
