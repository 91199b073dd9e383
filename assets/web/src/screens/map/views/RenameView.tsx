/** The dialog for the name and description of a view. */
import { useState } from 'react';
import { nameProblem, textProblem } from '@/core/model/validation';
import { changeView } from '@/map/edits/views';
import { viewAt } from '@/map/state/openView';
import { TextArea, TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';

export function RenameView({ address, onClose }: { address: string; onClose: () => void }) {
  const view = viewAt(address);
  const [name, setName] = useState(view?.name ?? '');
  const [description, setDescription] = useState(view?.description ?? '');
  const [isSubmitted, setSubmitted] = useState(false);
  const problems = { name: nameProblem(name.trim()), description: textProblem(description) };
  const save = () => {
    setSubmitted(true);
    if (!view || problems.name || problems.description) return;
    changeView(address, `Rename view “${view.name}”`, { name: name.trim(), description });
    onClose();
  };
  return (
    <FormDialog title="Rename and describe view" submitLabel="Save" onSubmit={save} onClose={onClose}>
      <TextField
        label="Name"
        autoFocus
        value={name}
        maxLength={200}
        autoComplete="off"
        problem={isSubmitted ? problems.name : undefined}
        onChange={(event) => setName(event.target.value)}
      />
      <TextArea
        label="Description"
        hint="Shown when the pointer rests on the view."
        rows={4}
        value={description}
        problem={isSubmitted ? problems.description : undefined}
        onChange={(event) => setDescription(event.target.value)}
      />
    </FormDialog>
  );
}
