/** The impact view: dependents and dependencies of a component, highlighted on the map and listed in a panel. */
import { Scan, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSearch } from 'wouter';
import { errorText } from '@/api/errors';
import type { DependencyPath } from '@/api/generated';
import { CONTAINS } from '@/core/containment/containment';
import { impactQueryTitle, impactSummary, notFollowedText } from '@/core/impact/describe';
import { type ImpactQuery, parseImpactQuery } from '@/core/impact/query';
import { highlightedBy } from '@/core/impact/results';
import { catalogueEntry, type Model } from '@/core/model/model';
import { closeImpact } from '@/map/state/impactUrl';
import { useView } from '@/map/state/view';
import { Button, IconButton } from '@/ui/Button';
import { useModel } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import styles from './Impact.module.css';
import { ImpactControls } from './ImpactControls';
import { ImpactList } from './ImpactList';
import { Paths } from './Paths';
import { type ImpactData, useImpact } from './useImpact';

export function Impact() {
  const search = useSearch();
  const query = new URLSearchParams(search);
  const question = parseImpactQuery(search);
  const model = useModel();
  const isPast = useWorkspace((state) => state.past !== null);
  // Playback and comparison have their own highlights, and past states have no impact analysis.
  if (!question || !model || isPast || query.has('process') || query.has('since')) return null;
  return (
    <ImpactPanel
      key={`${question.of} ${question.direction === 'between'}`}
      question={question}
      model={model}
    />
  );
}

function ImpactPanel({ question, model }: { question: ImpactQuery; model: Model }) {
  const { of, direction, to } = question;
  const answer = useImpact(question);
  const nameOf = (id: string) => model.rows.component.get(id)?.name ?? id;
  const title = impactQueryTitle(direction, nameOf(of), nameOf(to ?? ''));
  const missingId = [of, to].find((id) => id !== null && !model.rows.component.has(id));
  const typeName = (id: string) => catalogueEntry(model.catalogue.relationTypes, id).name.toLowerCase();
  const notFollowed = notFollowedText(answer.found, typeName);
  const [chosen, setChosen] = useState<DependencyPath | null>(null);
  const isChosenCurrent = chosen !== null && answer.paths.some(({ paths }) => paths.includes(chosen));
  const highlightedCount = useImpactHighlight(of, answer, isChosenCurrent ? chosen : null, model);
  return (
    <section className={styles.sheet} aria-label={title} data-sheet>
      <header className={styles.head}>
        <h2>{title}</h2>
        <IconButton label="Exit impact view (Esc)" icon={<X size={18} aria-hidden />} onClick={closeImpact} />
      </header>
      {missingId !== undefined ? (
        <p role="alert">Component “{missingId}” does not exist. It was deleted, or the link is mistyped.</p>
      ) : (
        <>
          <ImpactControls question={question} model={model} />
          {answer.error ? (
            <div role="alert">
              <p>{errorText(answer.error)}</p>
              <Button onClick={answer.again}>Try again</Button>
            </div>
          ) : (
            <div className={styles.line}>
              <p role="status" className={styles.summary}>
                {answer.isLoading ? 'Searching…' : impactSummary(answer)}
              </p>
              {highlightedCount > 1 && (
                <IconButton
                  label="Zoom to results"
                  icon={<Scan size={16} aria-hidden />}
                  onClick={fitHighlighted}
                />
              )}
            </div>
          )}
          {notFollowed && <p className={styles.soft}>{notFollowed}</p>}
          <Paths
            paths={answer.paths}
            model={model}
            chosen={isChosenCurrent ? chosen : null}
            onChoose={setChosen}
          />
          <ImpactList found={answer.found} question={question} model={model} />
        </>
      )}
    </section>
  );
}

function fitHighlighted(): void {
  const { camera, highlight } = useView.getState();
  camera?.fit([...(highlight?.components.keys() ?? [])]);
}

/** Maximum number of extra lines drawn for relationships that are not visible on the map. */
const MAX_EXTRA_LINES = 300;

/** Highlights the result on the map until the panel closes. Returns the number of highlighted components. */
function useImpactHighlight(
  of: string,
  { found, paths }: ImpactData,
  chosen: DependencyPath | null,
  { rows }: Model,
): number {
  const { relationship } = rows;
  const key = JSON.stringify([found, paths, chosen]);
  const [size, setSize] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the arrays are new on every render; `key` is their content
  useEffect(() => {
    const { components, relationships } = highlightedBy(of, found, paths, chosen);
    // Containment is normally drawn as nesting; in a path, draw it as a line.
    const lines = [...relationships].flatMap(([id, tone]) => {
      const row = relationship.get(id);
      if (row?.typeId !== CONTAINS) return [];
      return [{ from: row.sourceId, to: row.targetId, label: row.label || CONTAINS, tone }];
    });
    useView.setState({
      highlight: { components, relationships, dimOthers: true, lines: lines.slice(0, MAX_EXTRA_LINES) },
    });
    setSize(components.size);
  }, [of, key, relationship]);
  useEffect(() => () => useView.setState({ highlight: null }), []);
  return size;
}
