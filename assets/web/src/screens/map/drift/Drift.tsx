/** The drift report (`?report=drift` in the URL): how the map differs from code, highlighted and listed. */
import { useMemo, useState } from 'react';
import { useSearch } from 'wouter';
import { errorText } from '@/api/errors';
import type { DriftFinding, DriftKind, ListedSource, Drift as Report } from '@/api/generated';
import { findingText } from '@/core/importing/driftText';
import { placeText, rowKeyOf } from '@/core/importing/places';
import { byRepository } from '@/core/importing/source';
import { DRIFT_SECTIONS, type DriftSection } from '@/core/model/drift';
import type { Model } from '@/core/model/model';
import { useSources } from '@/data/sources';
import { useDriftReport } from '@/map/state/drift';
import { closeDrift, isDriftOpen } from '@/map/state/driftUrl';
import { setSelection, useView } from '@/map/state/view';
import { Button } from '@/ui/Button';
import { RelativeTime } from '@/ui/RelativeTime';
import { openImport } from '@/workspace/importRequest';
import { useCanEdit, useModel } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { Sheet } from '../sheet/Sheet';
import { AcceptMissing } from '../sources/AcceptMissing';
import { SplitOff } from '../sources/SplitOff';
import styles from './Drift.module.css';
import { StaleSources } from './StaleSources';
import { endsOf, useDriftHighlight } from './useDriftHighlight';

/** Maximum number of findings listed per section. */
const MAX_SHOWN = 200;
const NONE: readonly DriftFinding[] = [];
const NO_SOURCES: readonly ListedSource[] = [];

export function Drift() {
  const search = useSearch();
  const query = new URLSearchParams(search);
  const model = useModel();
  const isPast = useWorkspace((state) => state.past !== null);
  // Playback, comparison and the impact view have their own highlights, and past states have no drift.
  const isOther = ['process', 'since', 'impact'].some((name) => query.has(name));
  if (!isDriftOpen(search) || !model || isPast || isOther) return null;
  return (
    <Sheet label="Drift" title="Drift" closeLabel="Close drift report" onClose={closeDrift}>
      <Content model={model} />
    </Sheet>
  );
}

function Content({ model }: { model: Model }) {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const { data: known, error: sourcesError } = useSources(workspaceId);
  const { data: report, error, refetch } = useDriftReport();
  const canEdit = useCanEdit();
  const failure = error ?? sourcesError;
  if (failure) {
    return (
      <div role="alert">
        <p>{errorText(failure)}</p>
        <Button onClick={() => void refetch()}>Try again</Button>
      </div>
    );
  }
  if (known?.sources.length === 0) {
    return (
      <>
        <p>
          Nothing to compare: this workspace has no sources. Import the files that describe your system, such
          as Compose files or Kubernetes manifests.
        </p>
        {canEdit && (
          <div>
            <Button onClick={() => openImport()}>Import files</Button>
          </div>
        )}
      </>
    );
  }
  if (!report) return <p role="status">Comparing…</p>;
  return <Findings report={report} model={model} sources={known?.sources ?? NO_SOURCES} />;
}

interface FindingsProps {
  report: Report;
  model: Model;
  sources: readonly ListedSource[];
}

function Findings({ report, model, sources }: FindingsProps) {
  const [chosen, setChosen] = useState<DriftKind | null>(null);
  const shown = useMemo(
    () => (chosen ? report.findings.filter(({ finding }) => finding === chosen) : NONE),
    [report, chosen],
  );
  const groups = useMemo(() => {
    const repositories = new Map(sources.map(({ id, repository }) => [id, repository]));
    return byRepository(shown.slice(0, MAX_SHOWN), ({ source = '' }) => repositories.get(source));
  }, [shown, sources]);
  useDriftHighlight(shown, model.rows);
  const toggle = (id: DriftKind) => {
    setChosen(chosen === id ? null : id);
    if (chosen !== id) showTogether(report.findings.filter(({ finding }) => finding === id));
  };
  const total = DRIFT_SECTIONS.reduce((sum, { id }) => sum + (report.counts[id] ?? 0), 0);
  return (
    <>
      <StaleSources sources={sources} />
      <p role="status">
        {total === 0
          ? 'The map is in step with its sources.'
          : 'Select a kind of difference to highlight it on the map.'}
      </p>
      <ul className={styles.sections} aria-label="Differences">
        {DRIFT_SECTIONS.map((section) => (
          <Section
            key={section.id}
            section={section}
            count={report.counts[section.id] ?? 0}
            isOpen={chosen === section.id}
            onToggle={() => toggle(section.id)}
            groups={groups}
            model={model}
          />
        ))}
      </ul>
    </>
  );
}

interface SectionProps {
  section: DriftSection;
  count: number;
  isOpen: boolean;
  onToggle: () => void;
  /** The findings that are listed, by repository. */
  groups: readonly [string, readonly DriftFinding[]][];
  model: Model;
}

function Section({ section, count, isOpen, onToggle, groups, model }: SectionProps) {
  const listed = groups.reduce((sum, [, findings]) => sum + findings.length, 0);
  return (
    <li>
      <button
        type="button"
        className={styles.section}
        aria-expanded={isOpen}
        disabled={count === 0}
        title={section.meaning}
        onClick={onToggle}
      >
        <span>{section.name}</span>
        <span className={styles.count}>{count.toLocaleString('en')}</span>
      </button>
      {isOpen && (
        <>
          <p className={styles.soft}>{section.meaning}</p>
          {groups.map(([repository, findings]) => (
            <section key={repository}>
              {groups.length > 1 && <h3 className={styles.repository}>{repository || 'No repository'}</h3>}
              <ul
                className={styles.findings}
                aria-label={
                  groups.length > 1 ? `${section.name}: ${repository || 'no repository'}` : section.name
                }
              >
                {findings.map((finding) => (
                  <Entry key={rowKeyOf(finding)} finding={finding} model={model} />
                ))}
              </ul>
            </section>
          ))}
          {count > listed && (
            <p className={styles.soft}>… and {(count - listed).toLocaleString('en')} more</p>
          )}
        </>
      )}
    </li>
  );
}

function Entry({ finding, model }: { finding: DriftFinding; model: Model }) {
  const { id, kind, name, file, line, lastChangedBy, lastChangedAt, missingSince } = finding;
  const isOnMap =
    typeof id === 'string' && (kind === 'component' || kind === 'relationship') && model.rows[kind].has(id);
  const ends = endsOf(finding, model.rows);
  const text = findingText(finding, {
    catalogue: model.catalogue,
    component: (component) => model.rows.component.get(component)?.name,
  });
  return (
    <li className={styles.finding}>
      {isOnMap || ends ? (
        <button
          type="button"
          className={styles.name}
          onClick={() => (isOnMap ? show(kind, id, model) : ends && showEnds(ends))}
        >
          {name}
        </button>
      ) : (
        <span>{name}</span>
      )}
      {text && <span>{text}</span>}
      <span className={styles.soft}>
        {file && <code>{placeText(file, line ?? 0)}</code>}
        {missingSince !== undefined && (
          <>
            {' '}
            gone <RelativeTime time={missingSince} />
          </>
        )}
        {lastChangedAt !== undefined && (
          <>
            {' '}
            changed on the map <RelativeTime time={lastChangedAt} />
            {lastChangedBy && ` by ${lastChangedBy}`}
          </>
        )}
      </span>
      <Accept finding={finding} />
      <Split finding={finding} />
    </li>
  );
}

/** Decides about a row that only a source has. */
function Accept({ finding: { finding, kind, key, source, name } }: { finding: DriftFinding }) {
  const canEdit = useCanEdit();
  if (!canEdit || finding !== 'onlyInCode' || key === undefined || source === undefined) return null;
  return <AcceptMissing source={source} kind={kind} keyInSource={key} name={name} />;
}

/** If two sources disagree because they mean two components, one of them is split off. */
function Split({ finding: { finding, kind, key, source } }: { finding: DriftFinding }) {
  const canEdit = useCanEdit();
  const isShared = finding === 'sourcesDiffer' && kind === 'component';
  if (!canEdit || !isShared || key === undefined || source === undefined) return null;
  return (
    <div>
      <SplitOff source={{ id: source }} kind={kind} keyInSource={key} />
    </div>
  );
}

/** Moves the map to the components of findings, if they fit at a readable zoom. */
function showTogether(findings: readonly DriftFinding[]): void {
  const ids = findings.flatMap(({ kind, id, sourceId, targetId }) => {
    if (kind === 'component' && typeof id === 'string') return [id];
    return sourceId !== undefined && targetId !== undefined ? [sourceId, targetId] : [];
  });
  if (ids.length > 0) useView.getState().camera?.showTogether(ids);
}

/** Selects the components of a relationship that is not on the map. */
function showEnds({ from, to }: { from: string; to: string }): void {
  setSelection([from, to]);
  useView.getState().camera?.reveal(from, to);
}

function show(kind: DriftFinding['kind'], id: string, { rows }: Model): void {
  const { camera } = useView.getState();
  if (kind === 'component') {
    setSelection([id]);
    camera?.reveal(id);
    return;
  }
  setSelection([], [id]);
  const row = rows.relationship.get(id);
  if (row) camera?.reveal(row.sourceId, row.targetId);
}
