/** The actions of a directory entry: all members can edit, administrators can delete. */
import { Pencil, Trash2 } from 'lucide-react';
import { Button } from '@/ui/Button';
import styles from './Directory.module.css';

interface Props {
  isEditing: boolean;
  /** The reason why the user cannot delete the entry; undefined if they can. */
  whyNot: string | undefined;
  onEdit: () => void;
  onDelete: () => void;
}

export function EntryActions({ isEditing, whyNot, onEdit, onDelete }: Props) {
  return (
    <div className={styles.actions}>
      {!isEditing && (
        <Button icon={<Pencil size={16} aria-hidden />} onClick={onEdit}>
          Edit
        </Button>
      )}
      <Button
        kind="danger"
        icon={<Trash2 size={16} aria-hidden />}
        disabled={whyNot !== undefined}
        title={whyNot}
        onClick={onDelete}
      >
        Delete
      </Button>
    </div>
  );
}
