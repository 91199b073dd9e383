/** The impact view: dependents and dependencies of a component, highlighted on the map and listed beside it. */
import { Scan, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSearch } from 'wouter';
import { explain } from '@/api/errors';
import type { Path } from '@/api/generated';
import { litBy } from '@/core/impact/answer';
import { type Question, readQuestion } from '@/core/impact/question';
import { askedOf, saidOfAll } from '@/core/impact/words';
import type { Model } from '@/core/model/model';
import { CONTAINS } from '@/core/scene/family';
import { useModel } from '@/plan/model';
import { usePlan } from '@/plan/store';
import { Button, IconButton } from '@/ui/Button';
import { useView } from '../view';
import { stopAsking } from './address';
import { Controls } from './Controls';
import styles from './Impact.module.css';
import { Rings } from './Rings';
import { type Answer, useAnswer } from './useAnswer';
import { Ways } from './Ways';

export function Impact() {
  const search = useSearch();
  const query = new URLSearchParams(search);
  const question = readQuestion(search);
  const model = useModel();
  const isPast = usePlan((plan) => plan.past !== null);
  // Playback and comparison highlight the map themselves, and past states have no impact analysis.
  if (!question || !model || isPast || query.has('process') || query.has('since')) return null;
  return <Sheet key={`${question.of} ${question.way === 'between'}`} question={question} model={model} />;
}

function Sheet({ question, model }: { question: Question; model: Model }) {
  const { of, way, to } = question;
  const answer = useAnswer(question);
  const nameOf = (id: string) => model.rows.component.get(id)?.name ?? id;
  const title = askedOf(way, nameOf(of), nameOf(to ?? ''));
  const gone = [of, to].find((id) => id !== null && !model.rows.component.has(id));
  const [chosen, setChosen] = useState<Path | null>(null);
  const isShown = chosen !== null && answer.ways.some(({ paths }) => paths.includes(chosen));
  const lit = useLight(of, answer, isShown ? chosen : null, model);
  return (
    <section className={styles.sheet} aria-label={title} data-sheet>
      <header className={styles.head}>
        <h2>{title}</h2>
        <IconButton label="Exit impact view (Esc)" icon={<X size={18} aria-hidden />} onClick={stopAsking} />
      </header>
      {gone !== undefined ? (
        <p role="alert">Component “{gone}” does not exist. It was deleted, or the link is mistyped.</p>
      ) : (
        <>
          <Controls question={question} model={model} />
          {answer.error ? (
            <div role="alert">
              <p>{explain(answer.error)}</p>
              <Button onClick={answer.again}>Try again</Button>
            </div>
          ) : (
            <div className={styles.line}>
              <p role="status" className={styles.said}>
                {answer.isLoading ? 'Searching…' : saidOfAll(answer)}
              </p>
              {lit > 1 && (
                <IconButton label="Zoom to results" icon={<Scan size={16} aria-hidden />} onClick={showLit} />
              )}
            </div>
          )}
          <Ways ways={answer.ways} model={model} chosen={isShown ? chosen : null} onChoose={setChosen} />
          <Rings found={answer.found} question={question} model={model} />
        </>
      )}
    </section>
  );
}

function showLit(): void {
  const { camera, highlight } = useView.getState();
  camera?.fit([...(highlight?.components.keys() ?? [])]);
}

/** Maximum number of additional lines drawn for relationships that the map hides. */
const MOST_LINES = 300;

/** Highlights the answer on the map until the panel closes. Returns the number of highlighted components. */
function useLight(of: string, { found, ways }: Answer, chosen: Path | null, { rows }: Model): number {
  const { relationship } = rows;
  const key = JSON.stringify([found, ways, chosen]);
  const [size, setSize] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: answers are made anew each time; the key is what they say
  useEffect(() => {
    const { components, relationships } = litBy(of, found, ways, chosen);
    // Containment is drawn as nesting; as part of a path it is drawn as a line.
    const lines = [...relationships].flatMap(([id, tone]) => {
      const row = relationship.get(id);
      if (row?.typeId !== CONTAINS) return [];
      return [{ from: row.sourceId, to: row.targetId, label: row.label || CONTAINS, tone }];
    });
    useView.setState({
      highlight: { components, relationships, dimOthers: true, lines: lines.slice(0, MOST_LINES) },
    });
    setSize(components.size);
  }, [of, key, relationship]);
  useEffect(() => () => useView.setState({ highlight: null }), []);
  return size;
}
