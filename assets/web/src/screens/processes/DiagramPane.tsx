/** The diagram of the current text. While the text has errors, shows the last valid diagram dimmed. */
import { Diagram } from '@/ui/Diagram';
import { Loading } from '@/ui/Loading';
import styles from './Processes.module.css';
import type { ParsedText } from './useProcess';

interface Props {
  name: string;
  live: ParsedText;
  unmapped: ReadonlyMap<string, string>;
  stale: boolean;
}

export function DiagramPane({ name, live, unmapped, stale }: Props) {
  const isEmpty = live.reading && live.reading.steps.length === 0 && live.reading.participants.length === 0;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section className={styles.pane} aria-label="Diagram" tabIndex={0}>
      {stale && live.drawing && (
        <p className={styles.stale}>Showing the last valid version. Fix the error to update the diagram.</p>
      )}
      {stale && !live.drawing && <p className={styles.hint}>Fix the error in the text to see the diagram.</p>}
      {isEmpty && !stale && (
        <p className={styles.hint}>
          No messages yet. Add one: <code>Reader-&gt;&gt;Cache: Get page</code>
        </p>
      )}
      {!live.drawing && !stale && !isEmpty && <Loading what="the diagram" />}
      {live.drawing && (
        <Diagram
          drawing={live.drawing}
          label={`Sequence diagram of ${name}`}
          marked={unmapped}
          stale={stale}
        />
      )}
    </section>
  );
}
