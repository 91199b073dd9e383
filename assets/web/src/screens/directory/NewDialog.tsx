/** Adds a person or a team. */
import { useState } from 'react';
import { createPerson, createTeam } from '@/api/generated';
import { invalidateDirectory } from '@/data/queries';
import { Alert } from '@/ui/Alert';
import { TextArea, TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { useSubmit } from '@/ui/useSubmit';

interface Props {
  kind: 'person' | 'team';
  onClose: () => void;
  onCreated: (id: string) => void;
}

export function NewDialog({ kind, onClose, onCreated }: Props) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [title, setTitle] = useState('');
  const [description, setDescription] = useState('');
  const { busy, problem, submit } = useSubmit(['name', 'email', 'title', 'description'], async () => {
    const id = kind === 'person' ? await person() : await team();
    invalidateDirectory();
    onCreated(id);
    onClose();
  });
  const person = async () => {
    const fields = { name, ...(email ? { email } : {}), ...(title ? { title } : {}) };
    return (await createPerson(fields)).person.id;
  };
  const team = async () => (await createTeam({ name, ...(description ? { description } : {}) })).team.id;
  return (
    <FormDialog
      title={kind === 'person' ? 'New person' : 'New team'}
      submitLabel={kind === 'person' ? 'Add person' : 'Add team'}
      onSubmit={submit}
      onClose={onClose}
      busy={busy}
    >
      <TextField
        label="Name"
        name="name"
        autoFocus
        value={name}
        onChange={(event) => setName(event.target.value)}
        problem={problem('name')}
      />
      {kind === 'person' ? (
        <>
          <TextField
            label="Title"
            name="title"
            hint="Their position in the organization"
            value={title}
            onChange={(event) => setTitle(event.target.value)}
            problem={problem('title')}
          />
          <TextField
            label="Email"
            name="email"
            type="email"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            problem={problem('email')}
          />
        </>
      ) : (
        <TextArea
          label="Description"
          name="description"
          value={description}
          onChange={(event) => setDescription(event.target.value)}
          problem={problem('description')}
        />
      )}
      <Alert text={problem()} />
    </FormDialog>
  );
}
