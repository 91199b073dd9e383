/** The diagram of the playing process, next to the map. */
import { useMemo } from 'react';
import type { ProcessReading } from '@/api/generated';
import { DiagramPane } from '@/screens/processes/DiagramPane';
import { useParsedText } from '@/screens/processes/useProcess';
import { useWorkspace } from '@/workspace/store';
import styles from './Playback.module.css';

interface Props {
  reading: ProcessReading;
  name: string;
  /** The index of the current step. */
  step: number;
}

export function PlayedDiagram({ reading, name, step }: Props) {
  const live = useParsedText(reading.mermaid);
  const participants = useWorkspace((state) => state.rows?.process.get(reading.id)?.participants);
  const components = useWorkspace((state) => state.rows?.component);
  const unmapped = useMemo(() => {
    const missing = reading.lifelines.filter(({ alias }) => !components?.has(participants?.[alias] ?? ''));
    return new Map(missing.map(({ alias }) => [alias, 'Not mapped to a component']));
  }, [reading, participants, components]);
  return (
    <div className={styles.diagram} data-sheet>
      <DiagramPane
        name={name}
        live={live}
        unmapped={unmapped}
        stale={live.syntaxError !== undefined}
        current={step}
      />
    </div>
  );
}
