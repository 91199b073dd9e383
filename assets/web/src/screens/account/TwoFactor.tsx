/** Two-factor authentication with an authenticator app. */
import { useState } from 'react';
import {
  disableSecondFactor,
  type NewSecondFactor,
  renewRecoveryCodes,
  type SecondFactor as State,
  startSecondFactor,
} from '@/api/generated';
import { formatDateTime } from '@/core/time/format';
import { accountQueryKeys, invalidate, useSecondFactor } from '@/data/accountQueries';
import { useSignInConfig } from '@/data/queries';
import { Button } from '@/ui/Button';
import { Badge, DescriptionList } from '@/ui/DataList';
import { FormNote } from '@/ui/Form';
import { QueryResult } from '@/ui/QueryResult';
import { Panel } from '@/ui/Sections';
import { showToast } from '@/ui/Toasts';
import { ConfirmTwoFactor } from './ConfirmTwoFactor';
import { PasswordDialog } from './PasswordDialog';
import { RecoveryCodes } from './RecoveryCodes';

/** Warn when this many recovery codes or fewer remain. */
const FEW_RECOVERY_CODES = 3;

export function TwoFactor() {
  const [fresh, setFresh] = useState<NewSecondFactor | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const query = useSecondFactor();
  const provider = useSignInConfig().data?.providerName;
  if (codes) return <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />;
  if (fresh) {
    const onConfirmed = (newCodes: readonly string[]) => {
      setCodes(newCodes);
      setFresh(null);
      void invalidate(accountQueryKeys.secondFactor);
    };
    return <ConfirmTwoFactor fresh={fresh} onConfirmed={onConfirmed} onCancel={() => setFresh(null)} />;
  }
  return (
    <Panel title="Two-factor authentication" about="Adds a one-time code from your phone when you sign in.">
      {provider && (
        <p>
          Two-factor authentication protects only the password of this instance. When you sign in with{' '}
          {provider}, you are not asked for a code here.
        </p>
      )}
      <QueryResult query={query} what="two-factor authentication">
        {(state) =>
          state.enabled ? (
            <TwoFactorOn state={state} onCodes={setCodes} />
          ) : (
            <TwoFactorOff onBegun={setFresh} />
          )
        }
      </QueryResult>
    </Panel>
  );
}

function TwoFactorOff({ onBegun }: { onBegun: (fresh: NewSecondFactor) => void }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <p>
        Status: <Badge>Off</Badge> You need an authenticator app on your phone or a password manager that
        generates one-time codes.
      </p>
      <div>
        <Button kind="main" onClick={() => setAsking(true)}>
          Set up two-factor authentication
        </Button>
      </div>
      <PasswordDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Set up two-factor authentication"
        confirm="Continue"
        onConfirm={async (password) => onBegun(await startSecondFactor({ password }))}
      >
        <p>Enter your password to continue.</p>
      </PasswordDialog>
    </>
  );
}

function TwoFactorOn({ state, onCodes }: { state: State; onCodes: (codes: readonly string[]) => void }) {
  const [requested, setRequested] = useState<'renew' | 'disable' | null>(null);
  const renew = async (password: string, code: string) => {
    const { recoveryCodes } = await renewRecoveryCodes({ password, code });
    onCodes(recoveryCodes);
    void invalidate(accountQueryKeys.secondFactor);
  };
  const disable = async (password: string, code: string) => {
    await disableSecondFactor({ password, code });
    await invalidate(accountQueryKeys.secondFactor);
    showToast('Two-factor authentication turned off');
  };
  return (
    <>
      <DescriptionList
        of={[
          [
            'Status',
            <Badge key="on" tone="good">
              On
            </Badge>,
          ],
          ['Turned on', state.confirmedAt ? formatDateTime(state.confirmedAt) : 'Unknown'],
          ['Recovery codes remaining', String(state.recoveryCodesLeft)],
        ]}
      />
      {state.recoveryCodesLeft <= FEW_RECOVERY_CODES && (
        <FormNote tone="warn">
          <p>
            Few recovery codes remain. Without your phone they are the only way to sign in. Generate new codes
            now.
          </p>
        </FormNote>
      )}
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: 'var(--gap-2)' }}>
        <Button onClick={() => setRequested('renew')}>Generate recovery codes</Button>
        <Button kind="danger" onClick={() => setRequested('disable')}>
          Turn off
        </Button>
      </div>
      <PasswordDialog
        open={requested === 'renew'}
        onClose={() => setRequested(null)}
        title="Generate new recovery codes?"
        confirm="Generate recovery codes"
        needsCode
        onConfirm={renew}
      >
        <p>Your existing recovery codes stop working.</p>
      </PasswordDialog>
      <PasswordDialog
        open={requested === 'disable'}
        onClose={() => setRequested(null)}
        title="Turn off two-factor authentication?"
        confirm="Turn off"
        kind="danger"
        needsCode
        onConfirm={disable}
      >
        <p>You will sign in with your password only. Your recovery codes stop working.</p>
      </PasswordDialog>
    </>
  );
}
