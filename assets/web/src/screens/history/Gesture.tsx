/** A change set in the history: who changed what and when, details per field, and its actions. */
import { Bot, ChevronRight, Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { PastChange } from '@/api/generated';
import { useSession } from '@/api/session';
import { useOrgSlug, workspacePath } from '@/app/paths';
import { useFaceOfUser } from '@/app/photos';
import { differing } from '@/core/difference/difference';
import { type NameOf, type PastGesture, rowName, sayGesture } from '@/core/history/gestures';
import type { Fields } from '@/core/sync/operation';
import { cut, sayField, sayValue } from '@/core/sync/words';
import { moment } from '@/core/time/moment';
import { queryFor, type StatesInAddress } from '@/plan/past';
import { usePlan } from '@/plan/store';
import { complainOfUndo, takeBackPast } from '@/plan/undo';
import { Avatar } from '@/ui/Avatar';
import { IconButton } from '@/ui/Button';
import { Menu, MenuItem, MenuLine } from '@/ui/Menu';
import { When } from '@/ui/When';
import styles from './history.module.css';
import { RestoreDialog } from './RestoreDialog';

interface Props {
  gesture: PastGesture;
  now: number;
  nameOf: NameOf;
  /** The oldest revision that can still be shown. */
  oldest: number;
  /** The entry selected for comparison. */
  base: PastGesture | null;
  onMark: (gesture: PastGesture) => void;
}

/** Maximum number of changes listed. */
const MOST = 50;

export function Gesture({ gesture, now, nameOf, ...rest }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [isRestoring, setRestoring] = useState(false);
  const faceOf = useFaceOfUser();
  const { actor, ts, changes, via } = gesture;
  const who = actor?.displayName ?? 'System';
  const what = sayGesture(gesture, nameOf);
  return (
    <li className={styles.gesture}>
      {actor ? (
        <Avatar {...faceOf(actor)} />
      ) : (
        <span className={styles.system}>
          <Bot size={18} aria-hidden />
        </span>
      )}
      <button type="button" className={styles.words} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronRight size={16} className={styles.arrow} aria-hidden />
        <span>
          <strong>{who}</strong> {what}
          {via === 'mcp' && <span className={styles.soft}> via an assistant</span>}
        </span>
      </button>
      <When className={styles.time} time={ts} now={now} />
      <Actions gesture={gesture} label={what} onRestore={() => setRestoring(true)} {...rest} />
      {isRestoring && (
        <RestoreDialog
          state={String(gesture.after)}
          name={`the state of ${moment(ts)}`}
          onClose={() => setRestoring(false)}
        />
      )}
      {isOpen && (
        <ul className={styles.details}>
          {changes.slice(0, MOST).map((change) => (
            <Detail key={change.id} change={change} nameOf={nameOf} />
          ))}
          {changes.length > MOST && <li className={styles.soft}>… and {changes.length - MOST} more</li>}
        </ul>
      )}
    </li>
  );
}

function Actions({
  gesture,
  label,
  oldest,
  base,
  onMark,
  onRestore,
}: Omit<Props, 'now' | 'nameOf'> & { label: string; onRestore: () => void }) {
  const [, navigate] = useLocation();
  const slug = useOrgSlug();
  const own = useSession((state) => state.user?.id);
  const workspaceId = usePlan((plan) => plan.workspaceId);
  const canEdit = usePlan((plan) => (plan.rows?.workspace.myRole ?? 'viewer') !== 'viewer');
  const show = (states: Partial<StatesInAddress>) =>
    navigate(workspacePath(slug, workspaceId) + queryFor(states));
  const isKnown = gesture.after >= oldest;
  const isWorkspace = gesture.changes.every(({ entity }) => entity === 'member');
  const isFounding = gesture.changes.some(({ entity, op }) => entity === 'workspace' && op === 'create');
  const hasBefore = gesture.before >= oldest && gesture.before > 0 && !isFounding;
  const [first, second] =
    base && base.after > gesture.after ? [gesture.after, base.after] : [base?.after ?? 0, gesture.after];
  return (
    <Menu trigger={<IconButton label={`Actions for: ${label}`} icon={<Ellipsis size={18} aria-hidden />} />}>
      <MenuItem disabled={!isKnown} onSelect={() => show({ at: String(gesture.after) })}>
        View map at this point
      </MenuItem>
      <MenuItem
        disabled={!hasBefore}
        onSelect={() => show({ at: String(gesture.after), since: String(gesture.before) })}
      >
        Show change on map
      </MenuItem>
      <MenuItem disabled={!isKnown} onSelect={() => show({ since: String(gesture.after) })}>
        Compare with current
      </MenuItem>
      <MenuLine />
      {base && base.changeSetId !== gesture.changeSetId ? (
        <MenuItem disabled={!isKnown} onSelect={() => show({ since: String(first), at: String(second) })}>
          Compare with selected
        </MenuItem>
      ) : (
        <MenuItem disabled={!isKnown} onSelect={() => onMark(gesture)}>
          Select for comparison
        </MenuItem>
      )}
      {canEdit && (
        <>
          <MenuLine />
          <MenuItem disabled={!isKnown} onSelect={onRestore}>
            Restore this state…
          </MenuItem>
        </>
      )}
      {gesture.actor?.id === own && canEdit && !isWorkspace && !isFounding && (
        <MenuItem
          onSelect={() =>
            void takeBackPast({ changeSetId: gesture.changeSetId, label }).catch(complainOfUndo)
          }
        >
          Undo
        </MenuItem>
      )}
    </Menu>
  );
}

const VERBS: Readonly<Record<string, string>> = { create: 'added', delete: 'removed', update: 'changed' };

function Detail({ change, nameOf }: { change: PastChange; nameOf: NameOf }) {
  const { before, row, op, entity } = change;
  const fields = op === 'update' && before && row ? differing(before as Fields, row as Fields) : [];
  return (
    <li>
      <span>
        {entity} {rowName(change, nameOf)} {VERBS[op] ?? op}
      </span>
      {fields.length > 0 && (
        <dl className={styles.fields}>
          {fields.map((field) => (
            <div key={field}>
              <dt>{sayField(field)}</dt>
              <dd>
                <del>{cut(sayValue(at(before as Fields, field)))}</del> <span aria-hidden>→</span>{' '}
                <ins>{cut(sayValue(at(row as Fields, field)))}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

function at(row: Fields, field: string): unknown {
  if (!field.startsWith('properties.')) return row[field];
  return (row.properties as Fields | undefined)?.[field.slice('properties.'.length)];
}
