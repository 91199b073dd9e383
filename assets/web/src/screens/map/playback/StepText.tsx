/** The current step as text, with participants that are not mapped to a component. */
import { ArrowRight, CornerUpLeft, StickyNote, TriangleAlert } from 'lucide-react';
import type { ProcessReading } from '@/api/generated';
import type { MessageLocation } from '@/core/process/highlight';
import { formatList } from '@/core/sync/describe';
import { updateQuery } from '@/map/state/playbackUrl';
import { useViewContents } from '@/map/state/viewContents';
import { goToView } from '@/map/state/viewNavigation';
import { Button } from '@/ui/Button';
import { useWorkspace } from '@/workspace/store';
import styles from './Playback.module.css';

interface Props {
  reading: ProcessReading;
  step: number;
  endpoints: MessageLocation;
}

/** The query that plays a step. `step` is zero-based. */
function stepQuery(processId: string, step: number): string {
  return `?${new URLSearchParams({ process: processId, step: String(step + 1) })}`;
}

export function StepText({ reading, step, endpoints }: Props) {
  const components = useWorkspace((state) => state.rows?.component);
  const contents = useViewContents();
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
  const members = contents?.members;
  const outside = [...new Set([endpoints.source, endpoints.target])].filter(
    (id) => id !== undefined && members?.has(id) === false,
  ) as string[];
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
      {outside.length > 0 && (
        <p className={styles.missing}>
          <TriangleAlert size={16} aria-hidden />
          <span>
            {formatList(outside.map((id) => `“${components?.get(id)?.name ?? id}”`))}{' '}
            {outside.length === 1 ? 'is' : 'are'} not in this view.
          </span>
          <Button kind="quiet" onClick={() => goToView(null, stepQuery(reading.id, step))}>
            Show on map
          </Button>
        </p>
      )}
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
