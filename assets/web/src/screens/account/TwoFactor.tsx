/** The second factor: an authenticator app on top of the password. */
import { useState } from 'react';
import {
  beginSecondFactor,
  disableSecondFactor,
  type NewSecondFactor,
  renewRecoveryCodes,
  type SecondFactor as State,
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

/** With so few recovery codes left one should make new ones. */
const FEW_RECOVERY_CODES = 3;

export function TwoFactor() {
  const [fresh, setFresh] = useState<NewSecondFactor | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const query = useSecondFactor();
  const provider = useSignInConfig().data?.providerName;
  if (codes) return <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />;
  if (fresh) {
    const confirmed = (shown: readonly string[]) => {
      setCodes(shown);
      setFresh(null);
      void invalidate(accountQueryKeys.secondFactor);
    };
    return <ConfirmTwoFactor fresh={fresh} onConfirmed={confirmed} onCancel={() => setFresh(null)} />;
  }
  return (
    <Panel
      title="Second factor"
      about="Who knows your password still cannot sign in without a code from your phone."
    >
      {provider && (
        <p>
          It guards the password of this instance alone. Who signs in with {provider} is asked for no code
          here, but for whatever they are asked for there.
        </p>
      )}
      <QueryResult query={query} what="your second factor">
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
  const [asks, setAsks] = useState(false);
  return (
    <>
      <p>
        It is <Badge>off</Badge>. You need an authenticator app on your phone, or a password manager that
        makes one-time codes. Setting it up takes a minute.
      </p>
      <div>
        <Button kind="main" onClick={() => setAsks(true)}>
          Set up a second factor
        </Button>
      </div>
      <PasswordDialog
        open={asks}
        onClose={() => setAsks(false)}
        title="Set up a second factor"
        confirm="Go on"
        onConfirm={async (password) => onBegun(await beginSecondFactor({ password }))}
      >
        <p>First your password, so that nobody does this who merely found your browser open.</p>
      </PasswordDialog>
    </>
  );
}

function TwoFactorOn({ state, onCodes }: { state: State; onCodes: (codes: readonly string[]) => void }) {
  const [asks, setAsks] = useState<'renew' | 'disable' | null>(null);
  const renew = async (password: string, code: string) => {
    const { recoveryCodes } = await renewRecoveryCodes({ password, code });
    onCodes(recoveryCodes);
    void invalidate(accountQueryKeys.secondFactor);
  };
  const disable = async (password: string, code: string) => {
    await disableSecondFactor({ password, code });
    await invalidate(accountQueryKeys.secondFactor);
    showToast('The second factor is off.');
  };
  return (
    <>
      <DescriptionList
        of={[
          [
            'State',
            <Badge key="on" tone="good">
              on
            </Badge>,
          ],
          ['Since', state.confirmedAt ? formatDateTime(state.confirmedAt) : 'Unknown'],
          ['Recovery codes left', String(state.recoveryCodesLeft)],
        ]}
      />
      {state.recoveryCodesLeft <= FEW_RECOVERY_CODES && (
        <FormNote tone="warn">
          <p>
            Few recovery codes are left. Without your phone they are the only way in; make new ones while you
            are signed in.
          </p>
        </FormNote>
      )}
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: 'var(--gap-2)' }}>
        <Button onClick={() => setAsks('renew')}>Make new recovery codes</Button>
        <Button kind="danger" onClick={() => setAsks('disable')}>
          Switch it off
        </Button>
      </div>
      <PasswordDialog
        open={asks === 'renew'}
        onClose={() => setAsks(null)}
        title="Make new recovery codes?"
        confirm="Make new codes"
        needsCode
        onConfirm={renew}
      >
        <p>The codes that you have now stop working.</p>
      </PasswordDialog>
      <PasswordDialog
        open={asks === 'disable'}
        onClose={() => setAsks(null)}
        title="Switch the second factor off?"
        confirm="Switch it off"
        kind="danger"
        needsCode
        onConfirm={disable}
      >
        <p>From then on your password alone is enough to sign in. Your recovery codes stop working.</p>
      </PasswordDialog>
    </>
  );
}
