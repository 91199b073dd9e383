/** The dialog to save a recorded process with a name. */
import { useState } from 'react';
import { nameProblem } from '@/core/model/validation';
import { processTextProblem } from '@/core/process/source';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';

interface Props {
  suggestedName: string;
  mermaid: string;
  onSave: (name: string) => void;
  onClose: () => void;
}

export function SaveRecording({ suggestedName, mermaid, onSave, onClose }: Props) {
  const [name, setName] = useState(suggestedName);
  const [problem, setProblem] = useState<string>();
  const submit = () => {
    const wrong = nameProblem(name) ?? (processTextProblem(mermaid) || undefined);
    if (wrong) return setProblem(wrong);
    onClose();
    onSave(name);
  };
  return (
    <FormDialog title="Save process" submitLabel="Save process" onSubmit={submit} onClose={onClose}>
      <TextField
        label="Process name"
        placeholder="For example, Checkout"
        value={name}
        problem={problem}
        autoFocus
        onChange={(event) => {
          setName(event.target.value);
          setProblem(undefined);
        }}
      />
    </FormDialog>
  );
}
