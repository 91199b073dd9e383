/** Edits a person in place. Keeps the input if someone else saved first. */

import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { type Person, type PersonPatch, type Properties, updatePerson } from '@/api/generated';
import { newId } from '@/core/newId';
import { isSameValue } from '@/core/sync/merge';
import { propertyText } from '@/core/table/columns';
import { truncate } from '@/core/text';
import { isUploadedPhoto } from '@/data/photos';
import { invalidateDirectory } from '@/data/queries';
import { Alert } from '@/ui/Alert';
import { Button, IconButton } from '@/ui/Button';
import { TextArea, TextField } from '@/ui/Field';
import { useSubmit } from '@/ui/useSubmit';
import styles from './Directory.module.css';
import forms from './Forms.module.css';
import { useEditConflict } from './useEditConflict';

const TEXTS = ['name', 'title', 'email', 'photoUrl', 'bio'] as const;
const FIELDS = [...TEXTS, 'contact'] as const;

interface Contact {
  /** Identifies a line while its key is being edited. */
  line: string;
  key: string;
  text: string;
  /** The original value. Values that are not text stay unchanged unless they are edited. */
  value: unknown;
}

export function PersonForm({ person, onDone }: { person: Person; onDone: () => void }) {
  const [fields, setFields] = useState({
    name: person.name,
    title: person.title ?? '',
    email: person.email ?? '',
    photoUrl: photoUrlOf(person),
    bio: person.bio ?? '',
  });
  const [contacts, setContacts] = useState(() => contactsOf(person));
  const [began] = useState(person);
  const guard = useEditConflict(person.revision);
  const { busy, problem, submit } = useSubmit(FIELDS, async () => {
    const patch = changes(began, fields, contacts);
    if (Object.keys(patch).length > 0) {
      await guard((headers) => updatePerson(person.id, patch, { headers }));
      invalidateDirectory();
    }
    onDone();
  });
  const field = (name: keyof typeof fields) => ({
    name,
    value: fields[name],
    problem: problem(name),
    onChange: ({ target }: { target: { value: string } }) => setFields({ ...fields, [name]: target.value }),
  });
  const setContact = (line: string, part: Partial<Contact>) =>
    setContacts(contacts.map((contact) => (contact.line === line ? { ...contact, ...part } : contact)));
  return (
    <form
      className={styles.form}
      noValidate
      aria-label={`Edit ${truncate(person.name, 80)}`}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => event.key === 'Escape' && onDone()}
    >
      <div className={forms.columns}>
        <TextField label="Name" autoFocus {...field('name')} />
        <TextField label="Title" {...field('title')} />
        <TextField label="Email" type="email" {...field('email')} />
      </div>
      <TextField
        label="Photo URL"
        type="url"
        placeholder="https://"
        hint={
          isUploadedPhoto(began.photoUrl)
            ? 'The user of this person uploaded a photo. A URL here replaces it on this page and on maps.'
            : 'URL of an image of at most 1 MB. The server downloads it.'
        }
        {...field('photoUrl')}
      />
      <TextArea label="About" {...field('bio')} />
      <fieldset className={forms.contacts}>
        <legend>Contact</legend>
        {contacts.map(({ line, key, text }) => (
          <div key={line} className={forms.contact}>
            <input
              aria-label="Contact type"
              placeholder="chat"
              value={key}
              onChange={({ target }) => setContact(line, { key: target.value })}
            />
            <input
              aria-label={`Contact details: ${key || 'new'}`}
              value={text}
              onChange={({ target }) => setContact(line, { text: target.value })}
            />
            <IconButton
              label={`Remove ${key || 'contact'}`}
              icon={<X size={16} aria-hidden />}
              onClick={() => setContacts(contacts.filter((contact) => contact.line !== line))}
            />
          </div>
        ))}
        <div>
          <Button
            kind="quiet"
            icon={<Plus size={16} aria-hidden />}
            onClick={() => setContacts([...contacts, { line: newId(), key: '', text: '', value: undefined }])}
          >
            Add contact
          </Button>
        </div>
        <Alert text={problem('contact')} />
      </fieldset>
      <Alert text={problem()} />
      <div className={styles.actions}>
        <Button onClick={onDone}>Cancel</Button>
        <Button kind="main" type="submit" busy={busy}>
          Save
        </Button>
      </div>
    </form>
  );
}

/** The URL of the photo; empty if the photo was uploaded. */
function photoUrlOf({ photoUrl }: Person): string {
  return isUploadedPhoto(photoUrl) ? '' : (photoUrl ?? '');
}

function contactsOf({ contact }: Person): Contact[] {
  return Object.entries(contact).map(([key, value]) => ({
    line: key,
    key,
    text: propertyText(value),
    value,
  }));
}

/** The fields that differ from the person at the start of editing. */
function changes(
  began: Person,
  fields: Record<(typeof TEXTS)[number], string>,
  contacts: readonly Contact[],
): PersonPatch {
  const patch: PersonPatch = {};
  for (const name of TEXTS) {
    const before = name === 'photoUrl' ? photoUrlOf(began) : (began[name] ?? '');
    if (fields[name] !== before) patch[name] = fields[name];
  }
  const contact: Properties = Object.fromEntries(
    contacts
      .filter(({ key }) => key.trim())
      .map(({ key, text, value }) => [
        key.trim(),
        text === propertyText(value) && value !== undefined ? value : text,
      ]),
  );
  return isSameValue(contact, began.contact) ? patch : { ...patch, contact };
}
