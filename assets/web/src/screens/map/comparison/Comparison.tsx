/** Changes since another state (`?since=` in the URL), highlighted on the map and listed in a panel. */
import { X } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useLocation } from 'wouter';
import { errorText } from '@/api/errors';
import type { Note } from '@/api/generated';
import { describeDifference } from '@/core/difference/describe';
import { compareRows, type Difference, differenceSize, isMoveOnly } from '@/core/difference/difference';
import { noteTitle } from '@/core/noteLabel';
import { noteRect } from '@/core/notes/note';
import { NODE_SIZE } from '@/core/scene/geometry';
import { fieldLabel, formatList, rowLabel, shorten } from '@/core/sync/describe';
import type { Fields } from '@/core/sync/operation';
import { KINDS, type Kind, type Rows } from '@/core/sync/rows';
import {
  type Highlight,
  type HighlightKind,
  type RemovedItem,
  setSelection,
  useView,
} from '@/map/state/view';
import { IconButton } from '@/ui/Button';
import { statesQuery, usePastState, useStateName, useUrlStates } from '@/workspace/pastState';
import { useWorkspace } from '@/workspace/store';
import styles from './Comparison.module.css';

export function Comparison() {
  const { since } = useUrlStates();
  return since ? <Compared since={since} /> : null;
}

function Compared({ since }: { since: string }) {
  const { at } = useUrlStates();
  const { data: was, error } = usePastState(since);
  const rows = useWorkspace((state) => state.rows);
  const hasPast = useWorkspace((state) => state.past !== null);
  const name = useStateName(since, was);
  const [path, navigate] = useLocation();
  const isReady = was && rows && (at === null || hasPast);
  const found = useMemo(() => (isReady ? compareRows(was, rows) : null), [isReady, was, rows]);
  useEffect(() => {
    useView.setState({ highlight: found && rows && highlightOf(found, rows) });
    return () => useView.setState({ highlight: null });
  }, [found, rows]);
  return (
    <section className={styles.sheet} aria-label="Changes" data-sheet>
      <header className={styles.head}>
        <h2>Changes</h2>
        <IconButton
          label="Close comparison"
          icon={<X size={18} aria-hidden />}
          onClick={() => navigate(path + statesQuery({ at }, location.search))}
        />
      </header>
      <p className={styles.soft}>Since {name}</p>
      {error && <p role="alert">{errorText(error)}</p>}
      {found && (
        <p role="status">{differenceSize(found) === 0 ? 'No changes.' : describeDifference(found)}</p>
      )}
      {found && was && KINDS.map((kind) => <OfKind key={kind} kind={kind} of={found} was={was} />)}
    </section>
  );
}

const SIGNS: Readonly<Record<'added' | 'changed' | 'removed', string>> = {
  added: '+',
  changed: '~',
  removed: '−',
};

function OfKind({ kind, of, was }: { kind: Kind; of: Difference; was: Rows }) {
  const now = useWorkspace((state) => state.rows);
  const { added, changed, removed } = of[kind];
  if (added.length + changed.length + removed.length === 0) return null;
  return (
    <ul className={styles.list}>
      {added.map((row) => (
        <Entry key={String(row.id)} kind={kind} row={row} rows={now} tone="added" />
      ))}
      {changed.map(({ id, after, fields }) => (
        <Entry
          key={id}
          kind={kind}
          row={after}
          rows={now}
          tone="changed"
          note={isMoveOnly(fields) ? 'moved' : `${formatList(fields.slice(0, 4).map(fieldLabel))} changed`}
        />
      ))}
      {removed.map((row) => (
        <Entry key={String(row.id)} kind={kind} row={row} rows={was} tone="removed" />
      ))}
    </ul>
  );
}

interface EntryProps {
  kind: Kind;
  row: Fields;
  /** The state used to look up the names of referenced rows. */
  rows: Rows | null;
  tone: 'added' | 'changed' | 'removed';
  note?: string;
}

function Entry({ kind, row, rows, tone, note = tone }: EntryProps) {
  const id = String(row.id);
  const text = kind === 'component' ? shorten(String(row.name ?? id)) : rowLabel(rows, kind, id, row);
  const canShow = tone !== 'removed' && (kind === 'component' || kind === 'relationship' || kind === 'note');
  const show = () => {
    if (kind === 'note') {
      setSelection([], [], [id]);
      useView.getState().camera?.revealNote(id);
      return;
    }
    const ends = kind === 'component' ? [id] : [String(row.sourceId), String(row.targetId)];
    setSelection(kind === 'component' ? [id] : [], kind === 'relationship' ? [id] : []);
    const { camera } = useView.getState();
    if (kind === 'component') camera?.reveal(id);
    else camera?.fit(ends);
  };
  const body = (
    <>
      <span className={styles.sign} data-tone={tone} aria-hidden>
        {SIGNS[tone]}
      </span>
      <span className={styles.name}>{text}</span>
      <span className={styles.soft}>{note}</span>
    </>
  );
  return (
    <li>
      {canShow ? (
        <button type="button" className={styles.entry} onClick={show}>
          {body}
        </button>
      ) : (
        <span className={styles.entry}>{body}</span>
      )}
    </li>
  );
}

/** Maximum number of removed items drawn on the map. The list contains all of them. */
const MAX_DRAWN_REMOVED = 300;

function highlightOf(of: Difference, rows: Rows): Highlight {
  const components = of.component.removed.slice(0, MAX_DRAWN_REMOVED).map(
    (row): RemovedItem => ({
      kind: 'component',
      id: String(row.id),
      name: shorten(String(row.name ?? row.id)),
      x: Number(row.x ?? 0),
      y: Number(row.y ?? 0),
      ...NODE_SIZE,
    }),
  );
  const notes = of.note.removed.slice(0, MAX_DRAWN_REMOVED).map((row): RemovedItem => {
    const note = row as unknown as Note;
    return { kind: 'note', id: note.id, name: noteTitle(note), ...noteRect(note) };
  });
  const lines = of.relationship.removed.slice(0, MAX_DRAWN_REMOVED).flatMap((row) => {
    const [from, to] = [String(row.sourceId), String(row.targetId)];
    if (!rows.component.has(from) || !rows.component.has(to)) return [];
    return { from, to, label: String(row.label || row.typeId), tone: 'removed' as const };
  });
  return {
    components: highlightKinds(of, 'component'),
    relationships: highlightKinds(of, 'relationship'),
    notes: highlightKinds(of, 'note'),
    dimOthers: true,
    lines,
    removed: [...components, ...notes],
  };
}

function highlightKinds(of: Difference, kind: Kind): ReadonlyMap<string, HighlightKind> {
  const { added, changed } = of[kind];
  return new Map<string, HighlightKind>([
    ...added.map(({ id }) => [String(id), 'added'] as const),
    ...changed.map(({ id }) => [id, 'changed'] as const),
  ]);
}
