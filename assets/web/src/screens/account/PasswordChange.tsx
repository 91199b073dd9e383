/** Changes the password, which signs out all other sessions. */
import { useState } from 'react';
import { changePassword } from '@/api/generated';
import { useSession } from '@/api/session';
import { accountQueryKeys, invalidate, useMe } from '@/data/accountQueries';
import { useSignInConfig } from '@/data/queries';
import { CheckField, TextField } from '@/ui/Field';
import { Form, FormError, FormNote, SubmitButton } from '@/ui/Form';
import { NewPasswordField } from '@/ui/NewPasswordField';
import { Panel } from '@/ui/Sections';
import { useForm } from '@/ui/useForm';

export function PasswordChange() {
  const user = useSession((state) => state.user);
  const { data: me } = useMe();
  const { data } = useSignInConfig();
  // Reset the form after each change.
  const [changes, setChanges] = useState(0);
  const form = useForm(
    ['current', 'next', 'revokeTokens', 'revokeConnectors'],
    async ({ current, next, ...also }) => {
      const [revokeTokens, revokeConnectors] = [also.revokeTokens === 'on', also.revokeConnectors === 'on'];
      await changePassword({ current, next, revokeTokens, revokeConnectors });
      await Promise.all([
        invalidate(accountQueryKeys.sessions),
        revokeTokens && invalidate(accountQueryKeys.tokens),
        revokeConnectors && invalidate(accountQueryKeys.connectors),
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
        <FormNote>
          <p>
            You sign in with {data?.providerName ?? 'an identity provider'} and change that password there.
            This form is only for accounts that also have a password on this instance.
          </p>
        </FormNote>
      )}
      {changes > 0 && (
        <FormNote tone="good">
          <p role="status">Password changed. All your other sessions are signed out.</p>
        </FormNote>
      )}
      <Form key={changes} form={form}>
        {/* Helps password managers identify the account. */}
        <input type="text" autoComplete="username" value={user?.login ?? ''} readOnly hidden />
        <TextField label="Current password" name="current" type="password" autoComplete="current-password" />
        <NewPasswordField
          label="New password"
          name="next"
          known={[user?.login ?? '', user?.displayName ?? '']}
        />
        <CheckField name="revokeTokens" label="Revoke all personal access tokens" />
        <CheckField name="revokeConnectors" label="Disconnect all connected apps" />
        <FormError text={form.problem()} />
        <div>
          <SubmitButton form={form}>Change password</SubmitButton>
        </div>
      </Form>
    </Panel>
  );
}
