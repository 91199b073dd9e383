/** Opens the share dialog. */
import { Share2 } from 'lucide-react';
import { openDialog } from '@/actions/dialogs';
import { IconButton } from '@/ui/Button';
import { useBaseId } from '@/workspace/draftRequest';
import styles from './Share.module.css';

/** The button in the bar, except in drafts, which cannot be shared. Narrow windows have no room for it; there, the details of the workspace have one. */
export function ShareButton() {
  if (useBaseId() !== undefined) return null;
  return (
    <IconButton
      label="Share"
      className={styles.inBar}
      icon={<Share2 size={20} aria-hidden />}
      onClick={() => openDialog('share')}
    />
  );
}
