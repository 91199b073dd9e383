/** Selects the reviewers of a draft among the users who can view the workspace. */
import { X } from 'lucide-react';
import { useState } from 'react';
import type { Profile } from '@/api/generated';
import { useMentionable } from '@/data/comments';
import { useUserAvatar } from '@/data/photos';
import { Autocomplete } from '@/ui/Autocomplete';
import { Avatar } from '@/ui/Avatar';
import { IconButton } from '@/ui/Button';
import styles from './Drafts.module.css';

export const MAX_REVIEWERS = 20;

interface Props {
  workspaceId: string;
  value: readonly Profile[];
  /** The author cannot review. */
  authorId: number;
  onChange: (reviewers: readonly Profile[]) => void;
}

export function ReviewersField({ workspaceId, value, authorId, onChange }: Props) {
  const [query, setQuery] = useState('');
  const { data } = useMentionable(workspaceId, query);
  const avatarOf = useUserAvatar();
  const ids = new Set(value.map(({ id }) => id));
  // The list moves what is below it, such as the submit button, so it is closed while nothing is typed.
  const found = query.trim() === '' ? [] : (data?.users ?? []);
  const others = found.filter(({ id }) => !ids.has(id) && id !== authorId);
  return (
    <div className={styles.reviewersField}>
      {value.length > 0 && (
        <ul className={styles.people} aria-label="Requested reviewers">
          {value.map((person) => (
            <li key={person.id}>
              <Avatar {...avatarOf(person)} size="small" />
              <span>{person.displayName}</span>
              <IconButton
                label={`Remove ${person.displayName}`}
                icon={<X size={14} aria-hidden />}
                className={styles.small}
                onClick={() => onChange(value.filter(({ id }) => id !== person.id))}
              />
            </li>
          ))}
        </ul>
      )}
      {value.length < MAX_REVIEWERS && (
        <Autocomplete
          label="Add reviewer"
          placeholder="Add reviewer by name"
          query={query}
          onQuery={setQuery}
          options={others.map((person) => ({
            key: String(person.id),
            value: person,
            title: person.displayName,
            hint: person.login ?? '',
            icon: <Avatar {...avatarOf(person)} size="small" />,
          }))}
          onChoose={(person) => {
            onChange([...value, person]);
            setQuery('');
          }}
          empty="No matching users who can view this workspace."
        />
      )}
    </div>
  );
}
