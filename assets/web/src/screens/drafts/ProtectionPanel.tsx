/** Whether changes of a workspace need a draft, and how many approvals. Owners change it. */
import { Lock, LockOpen } from 'lucide-react';
import { useState } from 'react';
import { errorText } from '@/api/errors';
import { updateProtection, type WorkspaceProtection } from '@/api/generated';
import { protectionText } from '@/core/drafts/protection';
import { invalidateProtection, useProtection } from '@/data/drafts';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { CheckField, SelectField } from '@/ui/Field';
import { showToast } from '@/ui/Toasts';
import { useAction } from '@/ui/useAction';
import { useWorkspace } from '@/workspace/store';
import styles from './Drafts.module.css';

const MAX_APPROVALS = 10;

export function ProtectionPanel({ workspaceId }: { workspaceId: string }) {
  const { data, error } = useProtection(workspaceId);
  const isOwner = useWorkspace((state) => state.serverRows?.workspace.myRole === 'owner');
  return (
    <section className={styles.panel} aria-labelledby="protection-title">
      <h2 id="protection-title">Protection</h2>
      {error && <Alert text={errorText(error)} />}
      {data && (
        <p className={styles.protection}>
          {data.protected ? <Lock size={18} aria-hidden /> : <LockOpen size={18} aria-hidden />}
          <span>{protectionText(data)}</span>
        </p>
      )}
      {data && isOwner && <Settings key={JSON.stringify(data)} workspaceId={workspaceId} protection={data} />}
      {data && !isOwner && <p className={styles.soft}>Owners of the workspace can change this.</p>}
    </section>
  );
}

function Settings({ workspaceId, protection }: { workspaceId: string; protection: WorkspaceProtection }) {
  const [isProtected, setProtected] = useState(protection.protected);
  const [approvals, setApprovals] = useState(protection.requiredApprovals);
  const [ownersExempt, setOwnersExempt] = useState(protection.ownersExempt);
  const { busy, error, run } = useAction();
  const isChanged =
    isProtected !== protection.protected ||
    approvals !== protection.requiredApprovals ||
    ownersExempt !== protection.ownersExempt;
  const save = () =>
    run(async () => {
      await updateProtection(workspaceId, {
        protected: isProtected,
        requiredApprovals: approvals,
        ownersExempt,
      });
      await invalidateProtection(workspaceId);
      showToast('Protection saved');
    });
  return (
    <form
      className={styles.settings}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <CheckField
        label="Protect this workspace"
        checked={isProtected}
        onChange={(event) => setProtected(event.currentTarget.checked)}
      />
      {isProtected && (
        <>
          <SelectField
            label="Required approvals"
            hint="By editors of the workspace, not by the author. They lapse when the draft changes."
            value={String(approvals)}
            onChange={(event) => setApprovals(Number(event.target.value))}
          >
            {Array.from({ length: MAX_APPROVALS + 1 }, (_, count) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the index is the value
              <option key={count} value={count}>
                {count === 0 ? 'None' : count}
              </option>
            ))}
          </SelectField>
          <CheckField
            label="Owners can change it without a draft"
            checked={ownersExempt}
            onChange={(event) => setOwnersExempt(event.currentTarget.checked)}
          />
        </>
      )}
      <Alert text={error ? errorText(error) : undefined} />
      <div>
        <Button type="submit" busy={busy} disabled={!isChanged}>
          Save protection
        </Button>
      </div>
    </form>
  );
}
