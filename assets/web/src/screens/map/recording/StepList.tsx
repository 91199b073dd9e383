/** The recorded steps with their messages. */
import { ArrowRight, CornerUpLeft, Reply } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { MAX_NAME_CHARS } from '@/core/limits';
import type { RecordedStep } from '@/core/process/recording';
import { IconButton } from '@/ui/Button';
import styles from './Recorder.module.css';
import type { RecorderState } from './useRecorder';

export function StepList({ recorder }: { recorder: RecorderState }) {
  const { steps } = recorder.recording;
  const list = useRef<HTMLOListElement>(null);
  const { takesText } = recorder;
  useEffect(() => {
    const last = list.current?.children[steps.length - 1];
    last?.scrollIntoView({ block: 'nearest' });
    if (takesText()) last?.querySelector('input')?.focus({ preventScroll: true });
  }, [steps.length, takesText]);
  return (
    <ol ref={list} className={styles.steps} aria-label="Steps">
      {steps.map((step, index) => (
        <Step
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only added and removed at the end
          key={index}
          step={step}
          index={index}
          recorder={recorder}
        />
      ))}
    </ol>
  );
}

function Step({ step, index, recorder }: { step: RecordedStep; index: number; recorder: RecorderState }) {
  const { nameOf, defaultText, update } = recorder;
  const [source, target] = [nameOf(step.source), nameOf(step.target)];
  const isToSelf = step.source === step.target;
  const isLast = index === recorder.recording.steps.length - 1;
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const isUndo = event.key === 'Backspace' && isLast && !event.repeat && step.text === '';
    if (isUndo) recorder.undo();
    else if (event.key === 'Enter' || event.key === 'Escape') recorder.focusMap();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <li className={styles.step}>
      <span className={styles.number}>{index + 1}</span>
      <span className={styles.ends} title={isToSelf ? source : `${source} → ${target}`}>
        <span>{source}</span>
        {isToSelf ? (
          <CornerUpLeft size={14} aria-label="to itself" />
        ) : (
          <>
            <ArrowRight size={14} aria-label={step.isReply ? 'replies to' : 'to'} />
            <span>{target}</span>
          </>
        )}
      </span>
      <input
        className={styles.message}
        aria-label={`Message of step ${index + 1}`}
        maxLength={MAX_NAME_CHARS}
        placeholder={defaultText(step)}
        value={step.text}
        onChange={(event) => update(index, { text: event.target.value })}
        onKeyDown={onKeyDown}
      />
      <IconButton
        label={`Step ${index + 1} is a reply`}
        title="Reply (dashed arrow)"
        icon={<Reply size={16} aria-hidden />}
        aria-pressed={step.isReply}
        disabled={isToSelf}
        onClick={() => update(index, { isReply: !step.isReply })}
      />
    </li>
  );
}
