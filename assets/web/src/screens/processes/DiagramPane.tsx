/** The diagram of what is typed; the last good one, stepping back, while the text cannot be read. */
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section className={styles.pane} aria-label="Diagram" tabIndex={0}>
      {stale && live.drawing && (
        <p className={styles.stale}>
          The drawing is of the text before: what is there now cannot be read yet.
        </p>
      )}
      {stale && !live.drawing && (
        <p className={styles.hint}>Nothing can be drawn before the text can be read.</p>
      )}
      {isEmpty && !stale && (
        <p className={styles.hint}>
          Nobody says anything yet. Write a message: <code>Reader-&gt;&gt;Cache: Asks for a page</code>
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
