/** The comparison of a draft with its base on the map (`?compare=base`): highlighted, with a legend and a list. */
import { useEffect, useMemo, useState } from 'react';
import { Link, useSearch } from 'wouter';
import { errorText } from '@/api/errors';
import type { DraftComparison as Comparison, DraftChange } from '@/api/generated';
import {
  changeCount,
  changeKey,
  changeName,
  changeSummary,
  describeCounts,
  groupByKind,
  type NameLookup,
  TONE_NAMES,
  TONES,
  toneOf,
} from '@/core/drafts/changes';
import { NODE_SIZE } from '@/core/scene/geometry';
import { formatCount } from '@/core/text';
import { useDraft, useDraftComparison } from '@/data/drafts';
import { draftHighlight, draftRowId } from '@/map/state/draftHighlight';
import { closeDraftComparison, isDraftComparisonOpen, takeComparisonRequest } from '@/map/state/draftUrl';
import { panRectIntoView } from '@/map/state/framing';
import { type RemovedItem, setSelection, useView } from '@/map/state/view';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { ToneSign } from '@/screens/drafts/ChangeList';
import { copyMarkdown } from '@/screens/drafts/useDraftActions';
import { useValueNames } from '@/screens/drafts/useValueNames';
import { Button } from '@/ui/Button';
import { showError } from '@/ui/Toasts';
import { useBaseId } from '@/workspace/draftRequest';
import { useModel } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { Sheet } from '../sheet/Sheet';
import styles from './DraftComparison.module.css';

export function DraftComparison() {
  const search = useSearch();
  const baseId = useBaseId();
  const isPast = useWorkspace((state) => state.past !== null);
  const draftId = useWorkspace((state) => state.workspaceId);
  if (!isDraftComparisonOpen(search) || baseId === undefined || isPast) return null;
  return (
    <Sheet label="Changes" title="Changes" closeLabel="Close comparison" onClose={closeDraftComparison}>
      <Content draftId={draftId} />
    </Sheet>
  );
}

function Content({ draftId }: { draftId: string }) {
  const { data, error, refetch } = useDraftComparison(draftId);
  if (data) return <Compared comparison={data} />;
  if (!error) return <p role="status">Comparing…</p>;
  return (
    <div role="alert">
      <p>{errorText(error)}</p>
      <Button onClick={() => void refetch()}>Try again</Button>
    </div>
  );
}

/** Maximum number of rows listed on the map. The page of the draft lists all. */
const MAX_LISTED = 200;

function Compared({ comparison }: { comparison: Comparison }) {
  const slug = useOrgSlug();
  const rows = useModel()?.rows ?? null;
  const { data: draft } = useDraft(comparison.draftId);
  const [isCopying, setCopying] = useState(false);
  const { changes, counts, draftId } = comparison;
  useEffect(() => {
    const highlight = rows && changes.length > 0 ? draftHighlight({ changes }, rows) : null;
    useView.setState({ highlight });
    if (rows && takeComparisonRequest() && highlight) showTogether(changes, highlight.removed ?? []);
    return () => useView.setState({ highlight: null });
  }, [changes, rows]);
  const groups = useMemo(() => groupByKind(changes.slice(0, MAX_LISTED)), [changes]);
  const nameOf = useValueNames(changes);
  const total = changeCount(comparison);
  const copy = () => {
    setCopying(true);
    void copyMarkdown(draftId)
      .catch(showError)
      .finally(() => setCopying(false));
  };
  return (
    <>
      <p role="status">
        {total === 0
          ? 'No changes yet. Edit the map; a merge applies what you change.'
          : describeCounts(comparison)}
      </p>
      {counts.base > 0 && !comparison.isFinal && (
        <p className={styles.soft}>
          {formatCount(counts.base, 'other change')} in the workspace since the draft was started.
          {draft?.canEdit && ' To apply them, choose “Update from workspace”.'}
        </p>
      )}
      {total > 0 && <Legend changes={changes} />}
      {groups.map(({ kind, name, changes: listed }) => (
        <section key={kind} aria-label={name}>
          <h3 className={styles.kind}>{name}</h3>
          <ul className={styles.list}>
            {listed.map((change) => (
              <li key={changeKey(change)}>
                <Entry change={change} nameOf={nameOf} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {total > MAX_LISTED && (
        <p className={styles.soft}>… and {(total - MAX_LISTED).toLocaleString('en')} more</p>
      )}
      <div className={styles.foot}>
        <Link href={workspacePath(slug, draftId, 'changes')}>All details</Link>
        {total > 0 && (
          <Button busy={isCopying} onClick={copy}>
            Copy as Markdown
          </Button>
        )}
      </div>
    </>
  );
}

/** Moves the map to the changed and removed components, or to the first one if they do not fit at a readable zoom. */
function showTogether(changes: readonly DraftChange[], removed: readonly RemovedItem[]): void {
  const ids = changes.flatMap((change) => (change.kind === 'component' ? [draftRowId(change)] : []));
  const known = ids.filter((id) => useWorkspace.getState().rows?.component.has(id));
  const gone = removed.filter(({ kind }) => kind === 'component');
  if (known.length + gone.length === 0) return;
  requestAnimationFrame(() => {
    const { camera } = useView.getState();
    // On small screens, at least the first one is visible.
    if (!camera || camera.showTogether(known, gone)) return;
    if (known[0] !== undefined) camera.reveal(known[0]);
    else if (gone[0]) panRectIntoView(gone[0]);
  });
}

function Legend({ changes }: { changes: readonly DraftChange[] }) {
  const tones = new Set(changes.map(toneOf));
  return (
    <ul className={styles.legend} aria-label="Legend">
      {TONES.filter((tone) => tones.has(tone)).map((tone) => (
        <li key={tone} data-tone={tone}>
          <ToneSign tone={tone} /> {TONE_NAMES[tone]}
        </li>
      ))}
    </ul>
  );
}

function Entry({ change, nameOf }: { change: DraftChange; nameOf: NameLookup }) {
  const show = usePlaceOnMap(change);
  const body = (
    <>
      <ToneSign tone={toneOf(change)} />
      <span className={styles.name}>{changeName(change, nameOf)}</span>
      <span className={styles.soft}>{changeSummary(change)}</span>
    </>
  );
  return show ? (
    <button type="button" className={styles.entry} onClick={show}>
      {body}
    </button>
  ) : (
    <span className={styles.entry}>{body}</span>
  );
}

/** Shows the row on the map; null if it is not on the map. */
function usePlaceOnMap(change: DraftChange): (() => void) | null {
  const { kind, row } = change;
  const id = draftRowId(change);
  const isThere = useWorkspace(({ rows }) =>
    kind === 'component' || kind === 'relationship' || kind === 'note' ? rows?.[kind].has(id) : false,
  );
  const component = kind === 'stakeholder' || kind === 'link' ? row?.componentId : undefined;
  const hasComponent = useWorkspace(
    ({ rows }) => typeof component === 'string' && rows?.component.has(component),
  );
  const { x, y } = row ?? {};
  if (isThere) {
    if (kind === 'component') return () => showComponent(id);
    if (kind === 'note') {
      return () => {
        setSelection([], [], [id]);
        useView.getState().camera?.revealNote(id);
      };
    }
    return () => {
      setSelection([], [id]);
      const relationship = useWorkspace.getState().rows?.relationship.get(id);
      if (relationship) useView.getState().camera?.reveal(relationship.sourceId, relationship.targetId);
    };
  }
  if (hasComponent) return () => showComponent(String(component));
  if ((kind === 'component' || kind === 'note') && typeof x === 'number' && typeof y === 'number') {
    return () => panRectIntoView({ x, y, ...NODE_SIZE });
  }
  return null;
}

function showComponent(id: string): void {
  setSelection([id]);
  useView.getState().camera?.reveal(id);
}
