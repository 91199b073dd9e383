/** Changes the password, which signs out all other sessions. */
import { useState } from 'react';
import { changePassword } from '@/api/generated';
import { useSession } from '@/api/session';
import { accountKeys, stale, useMe } from '@/app/accountQueries';
import { useSignInConfig } from '@/app/queries';
import { TextField } from '@/ui/Field';
import { Form, Problem, Remark, Submit } from '@/ui/Form';
import { NewPasswordField } from '@/ui/NewPasswordField';
import { Panel } from '@/ui/Sections';
import { useForm } from '@/ui/useForm';

export function PasswordChange() {
  const user = useSession((state) => state.user);
  const { data: me } = useMe();
  const { data } = useSignInConfig();
  // Each change starts with an empty form.
  const [changes, setChanges] = useState(0);
  const form = useForm(
    ['current', 'next', 'revokeTokens', 'revokeConnectors'],
    async ({ current, next, ...also }) => {
      const [revokeTokens, revokeConnectors] = [also.revokeTokens === 'on', also.revokeConnectors === 'on'];
      await changePassword({ current, next, revokeTokens, revokeConnectors });
      await Promise.all([
        stale(accountKeys.sessions),
        revokeTokens && stale(accountKeys.tokens),
        revokeConnectors && stale(accountKeys.connectors),
      ]);
      setChanges(changes + 1);
    },
  );
  return (
    <Panel
      title="Password"
      about="Changing your password signs out all your other sessions. Tokens and connected apps keep working unless you revoke them."
    >
      {me?.provider !== undefined && me.provider !== 'local' && (
        <Remark>
          <p>
            You sign in with {data?.providerName ?? 'an identity provider'} and change that password there.
            This form is only for accounts that also have a password on this instance.
          </p>
        </Remark>
      )}
      {changes > 0 && (
        <Remark tone="good">
          <p role="status">Password changed. All your other sessions are signed out.</p>
        </Remark>
      )}
      <Form key={changes} form={form}>
        {/* Tells password managers whose password this is. */}
        <input type="text" autoComplete="username" value={user?.login ?? ''} readOnly hidden />
        <TextField
          label="Current password"
          name="current"
          type="password"
          autoComplete="current-password"
          problem={form.problem('current')}
        />
        <NewPasswordField
          label="New password"
          name="next"
          problem={form.problem('next')}
          known={[user?.login ?? '', user?.displayName ?? '']}
        />
        <Check name="revokeTokens">Revoke all personal access tokens</Check>
        <Check name="revokeConnectors">Disconnect all connected apps</Check>
        <Problem text={form.problem()} />
        <div>
          <Submit form={form}>Change password</Submit>
        </div>
      </Form>
    </Panel>
  );
}

function Check({ name, children }: { name: string; children: string }) {
  return (
    <label style={{ display: 'flex', alignItems: 'center', gap: 'var(--gap-2)' }}>
      <input type="checkbox" name={name} />
      {children}
    </label>
  );
}
