/** What a draft changes, by kind of row, with the values before and after. */
import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { DraftChange } from '@/api/generated';
import {
  type ChangedBy,
  type ChangeTone,
  changeKey,
  changeName,
  changeSummary,
  conflictText,
  fieldTexts,
  groupByKind,
  type NameLookup,
  TONE_NAMES,
  TONES,
  toneOf,
} from '@/core/drafts/changes';
import { HIGHLIGHT_MARKS } from '@/map/drawing/highlights';
import { changedRowQuery } from '@/map/state/draftUrl';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { Button } from '@/ui/Button';
import styles from './Changes.module.css';
import { useValueNames } from './useValueNames';

/** Maximum number of rows listed at first. */
const PAGE = 100;

interface Props {
  changes: readonly DraftChange[];
  /** The accessible name of the list. */
  label: string;
  /** The side that has made the changes. */
  by?: ChangedBy;
  /** The draft whose map shows the rows; null if it has no map. */
  draftId?: string | null;
}

export function ChangeList({ changes, label, by = 'draft', draftId = null }: Props) {
  const nameOf = useValueNames(changes);
  const [tones, setTones] = useState<ReadonlySet<ChangeTone>>(new Set());
  const [limit, setLimit] = useState(PAGE);
  const shown = useMemo(
    () => (tones.size === 0 ? changes : changes.filter((change) => tones.has(toneOf(change)))),
    [changes, tones],
  );
  const groups = useMemo(() => groupByKind(shown.slice(0, limit)), [shown, limit]);
  return (
    <>
      <ToneFilter changes={changes} value={tones} onChange={setTones} />
      {groups.map(({ kind, name, changes: rows }) => (
        <section key={kind} className={styles.group} aria-label={`${label}: ${name}`}>
          <h4 className={styles.groupName}>
            {name} <span className={styles.count}>{rows.length.toLocaleString('en')}</span>
          </h4>
          <ul className={styles.list}>
            {rows.map((change) => (
              <li key={changeKey(change)}>
                <Change change={change} nameOf={nameOf} by={by} draftId={draftId} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {shown.length > limit && (
        <div>
          <Button onClick={() => setLimit(limit + PAGE)}>
            Show {Math.min(PAGE, shown.length - limit).toLocaleString('en')} more
          </Button>
        </div>
      )}
    </>
  );
}

/** The legend, which also filters the list. */
function ToneFilter({
  changes,
  value,
  onChange,
}: {
  changes: readonly DraftChange[];
  value: ReadonlySet<ChangeTone>;
  onChange: (tones: ReadonlySet<ChangeTone>) => void;
}) {
  const present = TONES.map((tone) => ({
    tone,
    count: changes.filter((change) => toneOf(change) === tone).length,
  })).filter(({ count }) => count > 0);
  if (present.length < 2) return null;
  const toggle = (tone: ChangeTone) => {
    const next = new Set(value);
    if (!next.delete(tone)) next.add(tone);
    onChange(next);
  };
  return (
    <fieldset className={styles.tones}>
      <legend className="unseen">Show only</legend>
      {present.map(({ tone, count }) => (
        <button
          key={tone}
          type="button"
          className={styles.tone}
          aria-pressed={value.has(tone)}
          onClick={() => toggle(tone)}
        >
          <ToneSign tone={tone} />
          {TONE_NAMES[tone]} <span className={styles.count}>{count.toLocaleString('en')}</span>
        </button>
      ))}
    </fieldset>
  );
}

/** The mark of a change, as on the map. */
export function ToneSign({ tone }: { tone: ChangeTone }) {
  return (
    <span className={styles.sign} data-tone={tone} aria-hidden>
      {HIGHLIGHT_MARKS[tone].sign}
    </span>
  );
}

interface ChangeProps {
  change: DraftChange;
  nameOf: NameLookup;
  by: ChangedBy;
  draftId: string | null;
}

function Change({ change, nameOf, by, draftId }: ChangeProps) {
  const slug = useOrgSlug();
  const path = draftId === null ? null : pathOf(slug, draftId, change);
  const name = changeName(change, nameOf);
  const why = conflictText(change);
  const fields = fieldTexts(change, nameOf, by);
  const tone = toneOf(change);
  const head = (
    <>
      <ToneSign tone={tone} />
      {path !== null ? (
        <Link
          href={path}
          className={styles.name}
          title={change.kind === 'decision' ? 'Open decision' : 'Show on map'}
        >
          {name}
        </Link>
      ) : (
        <span className={styles.name}>{name}</span>
      )}
      <span className={styles.soft}>{changeSummary(change, by)}</span>
    </>
  );
  return (
    <article className={styles.change} data-tone={tone}>
      <header className={styles.head}>{head}</header>
      {why && <p className={styles.why}>{why}</p>}
      {fields.length > 0 && (
        <dl className={styles.fields}>
          {fields.map(({ field, label, before, after, isConflict }) => (
            <div key={field} data-conflict={isConflict || undefined}>
              <dt>
                {label}
                {isConflict && <span className={styles.conflict}> conflict</span>}
              </dt>
              <dd>
                {before !== null && <Value as="del">{before}</Value>}
                {before !== null && after !== null && <span aria-hidden>→</span>}
                {after !== null && <Value as="ins">{after}</Value>}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </article>
  );
}

/** The link to a changed row in its draft; null if the row is not shown there. */
function pathOf(slug: string, draftId: string, change: DraftChange): string | null {
  if (change.kind === 'decision') {
    return change.change === 'removed' ? null : workspacePath(slug, draftId, 'decisions', change.id);
  }
  const query = changedRowQuery(change);
  return query === null ? null : workspacePath(slug, draftId) + query;
}

function Value({ as: Tag, children }: { as: 'del' | 'ins'; children: ReactNode }) {
  return (
    <Tag>
      <span className="unseen">{Tag === 'del' ? 'Before: ' : 'After: '}</span>
      {children}
    </Tag>
  );
}
