/** Records a process: each click on a component adds a message from the previous component to it. */
import { CircleDot, CornerDownLeft, Split, Undo2, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { isRecordingFull, MAX_RECORDED_STEPS, NO_RECORDING, type Recording } from '@/core/process/recording';
import { formatCount } from '@/core/text';
import { stepPath } from '@/map/state/playbackUrl';
import { closeRecording, setRecording } from '@/map/state/recording';
import { navigate } from '@/routing/location';
import { createProcess } from '@/screens/processes/useProcessActions';
import { Button, IconButton } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { useCanEdit } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import styles from './Recorder.module.css';
import { SaveRecording } from './SaveRecording';
import { StepList } from './StepList';
import { type RecorderState, useRecorder } from './useRecorder';

export function Recorder({ suggestedName }: { suggestedName: string }) {
  const isReady = useWorkspace((state) => state.status === 'ready');
  const isPast = useWorkspace((state) => state.past !== null);
  const isAllowed = useCanEdit() && !isPast;
  useEffect(() => {
    if (isReady && !isAllowed) closeRecording();
  }, [isReady, isAllowed]);
  return isReady && isAllowed ? <Bar suggestedName={suggestedName} /> : null;
}

function Bar({ suggestedName }: { suggestedName: string }) {
  const [dialog, setDialog] = useState<'save' | 'discard'>();
  const recorder = useRecorder(() => setDialog('discard'));
  const { recording } = recorder;
  const hasSteps = recording.steps.length > 0;
  const close = () => setDialog(undefined);
  const save = (name: string) => {
    const id = createProcess(name, { description: '', ...recorder.result() });
    setRecording(NO_RECORDING);
    if (id !== undefined) navigate(stepPath(id, 0), { replace: true });
  };
  return (
    <section className={styles.bar} data-bar aria-label="Record process">
      <div className={styles.line}>
        <CircleDot className={styles.sign} size={18} aria-hidden />
        <p className={styles.hint} role="status">
          <Hint recorder={recorder} />
        </p>
        <IconButton
          label="Cancel recording (Esc)"
          icon={<X size={18} aria-hidden />}
          onClick={recorder.cancel}
        />
      </div>
      {hasSteps && <StepList recorder={recorder} />}
      <div className={styles.line}>
        <Button
          kind="quiet"
          icon={<Undo2 size={16} aria-hidden />}
          title="Undo step (Backspace)"
          disabled={!hasSteps && recording.from === null}
          onClick={recorder.undo}
        >
          Undo step
        </Button>
        <Button
          kind="quiet"
          icon={<CornerDownLeft size={16} aria-hidden />}
          title={
            recorder.caller
              ? `Reply to “${recorder.nameOf(recorder.caller)}” (R)`
              : 'There is no call to reply to'
          }
          disabled={recorder.caller === null || isRecordingFull(recording)}
          onClick={recorder.reply}
        >
          Return
        </Button>
        <Button
          kind="quiet"
          icon={<Split size={16} aria-hidden />}
          title="Start the next step from another component (S)"
          disabled={!hasSteps || recording.from === null}
          onClick={recorder.startElsewhere}
        >
          Start elsewhere
        </Button>
        <Button kind="main" className={styles.save} disabled={!hasSteps} onClick={() => setDialog('save')}>
          Save process
        </Button>
      </div>
      {dialog === 'save' && (
        <SaveRecording
          suggestedName={suggestedName}
          mermaid={recorder.result().mermaid}
          onSave={save}
          onClose={close}
        />
      )}
      <ConfirmDialog
        open={dialog === 'discard'}
        onClose={close}
        title="Discard recording?"
        confirm="Discard recording"
        onConfirm={async () => recorder.discard()}
      >
        <p>The process has {formatCount(recording.steps.length, 'step')} and is not saved.</p>
      </ConfirmDialog>
    </section>
  );
}

function Hint({ recorder: { recording, nameOf } }: { recorder: RecorderState }) {
  if (isRecordingFull(recording)) {
    return `A recorded process has at most ${MAX_RECORDED_STEPS} steps. Save it, and add more steps to its text.`;
  }
  return hintOf(recording, nameOf);
}

function hintOf({ steps, from }: Recording, nameOf: (id: string) => string): string {
  if (from !== null) return `Click the component that “${nameOf(from)}” calls.`;
  return steps.length === 0
    ? 'Click the component that starts.'
    : 'Click the component that sends the next message.';
}
