/** The form for a new thread. */
import { useState } from 'react';
import { createThread, type NewAnchor, type Thread } from '@/api/generated';
import { invalidateComments } from '@/data/comments';
import { SelectField } from '@/ui/Field';
import { useKeptInput } from '@/workspace/keptInput';
import { Composer } from './Composer';
import { KINDS, type ThreadKind } from './texts';

interface Props {
  workspaceId: string;
  anchor: NewAnchor;
  /** The messages of a process, which the thread can be about. */
  steps?: readonly string[];
  onCreated: (thread: Thread) => void;
  onCancel?: (() => void) | undefined;
  autoFocus?: boolean;
}

export function NewThreadForm({ workspaceId, anchor, steps = [], onCreated, onCancel, autoFocus }: Props) {
  const inputId = `thread/${JSON.stringify(anchor)}`;
  const kind = useKeptInput<ThreadKind>(`${inputId}/kind`, () => 'comment');
  const [step, setStep] = useState('');
  return (
    <Composer
      label="Comment"
      inputId={inputId}
      submitLabel="Comment"
      autoFocus={autoFocus ?? false}
      onCancel={
        onCancel &&
        (() => {
          kind.clear();
          onCancel();
        })
      }
      onSubmit={async (text) => {
        const about = step === '' ? anchor : { ...anchor, step: Number(step) };
        const { thread } = await createThread(workspaceId, { anchor: about, kind: kind.value, text });
        kind.clear();
        await invalidateComments(workspaceId);
        onCreated(thread);
      }}
    >
      <SelectField
        label="Kind"
        value={kind.value}
        onChange={(event) => kind.set(event.target.value as ThreadKind)}
      >
        {KINDS.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {steps.length > 0 && (
        <SelectField label="About" value={step} onChange={(event) => setStep(event.target.value)}>
          <option value="">The whole process</option>
          {steps.map((text, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: messages are identified by their index
            <option key={at} value={at}>
              Message {at + 1}: {text}
            </option>
          ))}
        </SelectField>
      )}
    </Composer>
  );
}
