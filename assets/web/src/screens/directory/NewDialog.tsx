/** Adds a person or a team. */
import { useState } from 'react';
import { createPerson, createTeam } from '@/api/generated';
import { invalidateDirectory } from '@/data/queries';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { TextArea, TextField } from '@/ui/Field';
import { useSubmit } from '@/ui/useSubmit';
import styles from './Directory.module.css';

interface Props {
  kind: 'person' | 'team';
  onClose: () => void;
  onMade: (id: string) => void;
}

export function NewDialog({ kind, onClose, onMade }: Props) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [title, setTitle] = useState('');
  const [description, setDescription] = useState('');
  const { busy, problem, submit } = useSubmit(['name', 'email', 'title', 'description'], async () => {
    const id = kind === 'person' ? await person() : await team();
    invalidateDirectory();
    onMade(id);
    onClose();
  });
  const person = async () => {
    const fields = { name, ...(email ? { email } : {}), ...(title ? { title } : {}) };
    return (await createPerson(fields)).person.id;
  };
  const team = async () => (await createTeam({ name, ...(description ? { description } : {}) })).team.id;
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="main" type="submit" form="new-entry" busy={busy}>
        Add
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title={kind === 'person' ? 'New person' : 'New team'} footer={footer}>
      <form
        id="new-entry"
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
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
      </form>
    </Dialog>
  );
}
