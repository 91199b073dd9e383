/** Shows owners in the bar that there are open access requests. */
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '@/core/text';
import { Members } from '@/screens/map/inspector/Members';
import { Button } from '@/ui/Button';
import { useWorkspace } from '@/workspace/store';
import styles from './workspace.module.css';

export function AccessRequestsButton() {
  const workspace = useWorkspace((state) => state.rows?.workspace);
  const [open, setOpen] = useState(false);
  const count = workspace?.accessRequests ?? 0;
  // The dialog stays open after the last request is granted or declined.
  if (!workspace || (count === 0 && !open)) return null;
  const text = formatCount(count, 'access request');
  return (
    <>
      <Button
        kind="quiet"
        className={styles.state}
        data-tone="warn"
        icon={<UserPlus size={17} aria-hidden />}
        aria-label={`${text}. Manage access`}
        onClick={() => setOpen(true)}
      >
        <span className={styles.stateText}>{text}</span>
      </Button>
      {open && <Members open onClose={() => setOpen(false)} workspace={workspace} />}
    </>
  );
}
