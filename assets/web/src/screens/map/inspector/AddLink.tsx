/** The form that adds a link by URL or from the wiki. */
import { useMutation } from '@tanstack/react-query';
import { BookOpen } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { NewLink } from '@/api/generated';
import { urlProblem } from '@/core/model/validation';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { inputErrorText } from '@/ui/formErrors';
import styles from './Inspector.module.css';
import { WikiPicker } from './WikiPicker';
import { wikiErrorOf, wikiOrErrorText } from './wikiErrors';

interface Props {
  onAdd: (link: NewLink) => Promise<void>;
  onClose: () => void;
}

export function AddLink({ onAdd, onClose }: Props) {
  const [url, setUrl] = useState('');
  const [isTried, setTried] = useState(false);
  const [isBrowsing, setBrowsing] = useState(false);
  const add = useMutation({ mutationFn: onAdd, onSuccess: onClose });
  const problem = isTried ? urlProblem(url) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!urlProblem(url)) add.mutate({ url: url.trim() });
  };
  return (
    <form onSubmit={submit} className={styles.form} noValidate>
      <TextField
        label="URL"
        type="url"
        placeholder="https://"
        value={url}
        problem={problem ?? (add.error ? wikiOrErrorText(add.error, inputErrorText) : undefined)}
        autoFocus
        onChange={(event) => {
          setUrl(event.target.value);
          // Clear the error of the previous URL.
          add.reset();
        }}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      />
      <div className={styles.buttons}>
        {wikiErrorOf(add.error) && !problem && (
          <Button onClick={() => add.mutate({ url: url.trim(), kind: 'url' })}>Add without title</Button>
        )}
        <Button icon={<BookOpen size={16} aria-hidden />} onClick={() => setBrowsing(true)}>
          Browse wiki
        </Button>
      </div>
      <div className={styles.buttons}>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="main" type="submit" busy={add.isPending}>
          Add
        </Button>
      </div>
      <WikiPicker
        open={isBrowsing}
        onClose={() => setBrowsing(false)}
        onPick={async ({ url: address, kind }) => {
          await onAdd({ url: address, kind });
          onClose();
        }}
      />
    </form>
  );
}
