/** Indicates in the bar that the user has view-only access. */
import { Eye } from 'lucide-react';
import { Button } from '@/ui/Button';
import { Popover } from '@/ui/Popover';
import styles from './workspace.module.css';

export function ViewOnly() {
  return (
    <Popover
      title="View only"
      trigger={
        <Button kind="quiet" className={styles.state} data-tone="plain" icon={<Eye size={17} aria-hidden />}>
          View only
        </Button>
      }
    >
      <p>You can view this workspace but not change it. Ask an owner for edit access.</p>
    </Popover>
  );
}
