/** The current step as text, with participants that are not mapped to a component. */
import { ArrowRight, CornerUpLeft, StickyNote, TriangleAlert } from 'lucide-react';
import type { ProcessReading } from '@/api/generated';
import type { Cast } from '@/core/process/stage';
import { usePlan } from '@/plan/store';
import { Button } from '@/ui/Button';
import { address } from './address';
import styles from './Playback.module.css';

interface Props {
  reading: ProcessReading;
  step: number;
  cast: Cast;
}

export function StepText({ reading, step, cast }: Props) {
  const components = usePlan((plan) => plan.rows?.component);
  const message = reading.steps[step];
  if (!message) return null;
  const shown = (alias: string) => reading.lifelines.find((one) => one.alias === alias)?.name ?? alias;
  const nameOf = (alias: string, id: string | undefined) => (id && components?.get(id)?.name) || shown(alias);
  const { source, target } = message;
  const isToSelf = source === target;
  const strangers = [...new Set([cast.source ? '' : source, cast.target ? '' : target])].filter(Boolean);
  const notes = reading.notes.filter(({ after }) => after === step + 1 || (step === 0 && after === 0));
  return (
    <div className={styles.step}>
      <div aria-live="polite" aria-atomic="true">
        <p className={styles.who}>
          <span data-stranger={cast.source ? undefined : true}>{nameOf(source, cast.source)}</span>
          {isToSelf ? (
            <CornerUpLeft size={16} aria-label="to itself" />
          ) : (
            <>
              <ArrowRight size={16} aria-label="to" />
              <span data-stranger={cast.target ? undefined : true}>{nameOf(target, cast.target)}</span>
            </>
          )}
        </p>
        <p className={styles.text}>{message.text}</p>
        {notes.map((note) => (
          <p key={`${note.line}`} className={styles.aside}>
            <StickyNote size={14} aria-label="Note:" /> {note.text}
          </p>
        ))}
      </div>
      {strangers.map((alias) => (
        <p key={alias} className={styles.missing}>
          <TriangleAlert size={16} aria-hidden />
          <span>“{shown(alias)}” is not mapped to a component and can’t be highlighted.</span>
          <Button
            kind="quiet"
            onClick={() => address({ pick: reading.id, alias, back: String(step + 1) }, false)}
          >
            Map component
          </Button>
        </p>
      ))}
    </div>
  );
}
