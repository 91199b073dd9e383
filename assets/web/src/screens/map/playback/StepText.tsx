/** The current step as text, with participants that are not mapped to a component. */
import { ArrowRight, CornerUpLeft, StickyNote, TriangleAlert } from 'lucide-react';
import type { ProcessReading } from '@/api/generated';
import type { MessageLocation } from '@/core/process/highlight';
import { updateQuery } from '@/map/state/playbackUrl';
import { Button } from '@/ui/Button';
import { useWorkspace } from '@/workspace/store';
import styles from './Playback.module.css';

interface Props {
  reading: ProcessReading;
  step: number;
  endpoints: MessageLocation;
}

export function StepText({ reading, step, endpoints }: Props) {
  const components = useWorkspace((state) => state.rows?.component);
  const message = reading.steps[step];
  if (!message) return null;
  const displayName = (alias: string) =>
    reading.lifelines.find((lifeline) => lifeline.alias === alias)?.name ?? alias;
  const nameOf = (alias: string, id: string | undefined) =>
    (id && components?.get(id)?.name) || displayName(alias);
  const { source, target } = message;
  const isToSelf = source === target;
  const strangers = [...new Set([endpoints.source ? '' : source, endpoints.target ? '' : target])].filter(
    Boolean,
  );
  const notes = reading.notes.filter(({ after }) => after === step + 1 || (step === 0 && after === 0));
  return (
    <div className={styles.step}>
      <div aria-live="polite" aria-atomic="true">
        <p className={styles.participants}>
          <span data-stranger={endpoints.source ? undefined : true}>{nameOf(source, endpoints.source)}</span>
          {isToSelf ? (
            <CornerUpLeft size={16} aria-label="to itself" />
          ) : (
            <>
              <ArrowRight size={16} aria-label="to" />
              <span data-stranger={endpoints.target ? undefined : true}>
                {nameOf(target, endpoints.target)}
              </span>
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
          <span>“{displayName(alias)}” is not mapped to a component and can’t be highlighted.</span>
          <Button
            kind="quiet"
            onClick={() => updateQuery({ pick: reading.id, alias, back: String(step + 1) }, false)}
          >
            Map component
          </Button>
        </p>
      ))}
    </div>
  );
}
