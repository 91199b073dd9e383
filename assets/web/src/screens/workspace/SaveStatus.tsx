/** The save state in the bar, with a list of unsaved changes. */

import { Check, CloudOff, RefreshCw, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useStandby } from '@/api/standby';
import { needsDecision, unsavedEdits } from '@/core/sync/queue';
import { formatCount } from '@/core/text';
import { Button } from '@/ui/Button';
import { Popover } from '@/ui/Popover';
import { useCanEdit } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { ConflictDialog } from './ConflictDialog';
import { UnsavedEdits } from './UnsavedEdits';
import { ViewOnly } from './ViewOnly';
import styles from './workspace.module.css';

export function SaveStatus() {
  const queue = useWorkspace((state) => state.queue);
  const isOffline = useWorkspace((state) => state.connection === 'away' || state.isStalled);
  const isStandby = useStandby((state) => state.message !== '');
  const isReading = useWorkspace((state) => state.connection === 'connecting');
  const [open, setOpen] = useState(false);
  const [deciding, setDeciding] = useState<string | null>(null);
  const canEdit = useCanEdit();
  const isPast = useWorkspace((state) => state.past !== null);
  const left = unsavedEdits(queue);
  const stuck = left.filter(needsDecision).length;
  const waiting = left.length - stuck;
  const { text, tone, Icon } = statusText(stuck, waiting, unavailable(isStandby, isOffline), isReading);
  const decide = (id: string) => {
    setOpen(false);
    setDeciding(id);
  };
  // Past states have a separate banner.
  if (text === SAVED && !canEdit && !isPast) return <ViewOnly />;
  return (
    <>
      <Popover
        title={left.length === 0 ? 'All changes saved' : 'Unsaved changes'}
        open={open}
        onOpenChange={setOpen}
        trigger={
          <Button
            kind="quiet"
            className={styles.state}
            data-tone={tone}
            icon={<Icon size={17} aria-hidden />}
            aria-label={`${text}. Show unsaved changes`}
          >
            <span className={styles.stateText}>{text}</span>
          </Button>
        }
      >
        <UnsavedEdits onDecide={decide} />
      </Popover>
      <span role="status" className="unseen">
        {text}
      </span>
      <ConflictDialog editId={deciding} onClose={() => setDeciding(null)} />
    </>
  );
}

const SAVED = 'Saved';

/** Why changes cannot be sent; undefined if they can. */
function unavailable(isStandby: boolean, isOffline: boolean): string | undefined {
  if (isStandby) return 'Read-only standby';
  return isOffline ? 'Offline' : undefined;
}

function statusText(stuck: number, waiting: number, why: string | undefined, isReading: boolean) {
  if (stuck > 0) {
    return {
      text: `${stuck} ${stuck === 1 ? 'needs' : 'need'} attention`,
      tone: 'alarm',
      Icon: TriangleAlert,
    };
  }
  if (why && waiting > 0)
    return {
      text: `${why} – ${formatCount(waiting, 'change')} saved locally`,
      tone: 'warn',
      Icon: CloudOff,
    };
  if (why) return { text: why, tone: 'warn', Icon: CloudOff };
  if (waiting > 0)
    return { text: `Saving ${formatCount(waiting, 'change')}…`, tone: 'plain', Icon: RefreshCw };
  if (isReading) return { text: 'Connecting…', tone: 'plain', Icon: RefreshCw };
  return { text: SAVED, tone: 'plain', Icon: Check };
}
