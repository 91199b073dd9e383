/** The user's profile. Users of local accounts edit their name and email address. */

import { useState } from 'react';
import { type CurrentUser, type ProfilePatch, updateMe } from '@/api/generated';
import { useSession } from '@/api/session';
import { formatDateTime } from '@/core/time/format';
import { useMe } from '@/data/accountQueries';
import { applyProfile, isUploadedPhoto } from '@/data/photos';
import { useSignInConfig } from '@/data/queries';
import { DescriptionList } from '@/ui/DataList';
import { TextField } from '@/ui/Field';
import { Form, FormError, FormNote, SubmitButton } from '@/ui/Form';
import { QueryResult } from '@/ui/QueryResult';
import { Panel } from '@/ui/Sections';
import { useForm } from '@/ui/useForm';
import { EmailState } from './EmailState';
import { EarlierPhoto, PhotoField } from './PhotoField';

export function Profile() {
  const { data } = useSignInConfig();
  const providerName = data?.providerName ?? 'an identity provider';
  return (
    <Panel
      title="Profile"
      about="Your account on this instance. Your name and photo are visible to other users."
    >
      <QueryResult query={useMe()} what="your profile">
        {(me) => (
          <>
            {me.provider === 'local' ? (
              <>
                <PhotoField me={me} />
                <ProfileForm me={me} />
              </>
            ) : (
              <EarlierPhoto me={me} providerName={providerName} />
            )}
            <DescriptionList
              of={[
                ...(me.provider === 'local' ? [] : ([['Name', me.displayName]] as [string, string][])),
                ['Login', me.login ?? 'None'],
                ['Account', me.provider === 'local' ? 'Local account' : `Managed by ${providerName}`],
                ['Instance role', me.isAdmin ? 'Administrator' : 'User'],
                ['Created', formatDateTime(me.createdAt)],
                ['Last sign-in', me.lastLoginAt ? formatDateTime(me.lastLoginAt) : 'Never'],
              ]}
            />
          </>
        )}
      </QueryResult>
    </Panel>
  );
}

function ProfileForm({ me }: { me: CurrentUser }) {
  const ownEmail = useSession((state) => state.user?.email) ?? '';
  const [isSaved, setSaved] = useState(false);
  const [email, setEmail] = useState(ownEmail);
  const [password, setPassword] = useState('');
  const isNewEmail = email.trim() !== ownEmail;
  const photoUrl = isUploadedPhoto(me.avatarUrl) ? '' : (me.avatarUrl ?? '');
  const form = useForm(
    ['displayName', 'avatarUrl', 'email', 'password'],
    async ({ displayName, avatarUrl }) => {
      setSaved(false);
      const patch: ProfilePatch = {
        ...(displayName.trim() === me.displayName ? {} : { displayName: displayName.trim() }),
        ...(avatarUrl.trim() === photoUrl ? {} : { avatarUrl: avatarUrl.trim() }),
        ...(isNewEmail ? { email: email.trim(), password } : {}),
      };
      const answer = await updateMe(patch);
      setPassword('');
      await applyProfile(answer);
      setSaved(true);
    },
  );
  return (
    <Form form={form}>
      {isSaved && (
        <FormNote tone="good">
          <p role="status">Profile saved.</p>
        </FormNote>
      )}
      <TextField label="Name" name="displayName" autoComplete="name" defaultValue={me.displayName} />
      <TextField
        // The photo can change while the form is open.
        key={me.avatarUrl}
        label="Photo URL"
        name="avatarUrl"
        type="url"
        autoComplete="photo"
        placeholder="https://"
        hint={
          photoUrl === ''
            ? 'Optional, instead of an upload: address of an image, such as https://example.org/me.jpg. The server loads it.'
            : 'The server loads the image at this address. Clear the field to remove the photo.'
        }
        defaultValue={photoUrl}
      />
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        hint="Optional. A new address is not confirmed."
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      {!isNewEmail && <EmailState me={me} />}
      {isNewEmail && (
        <TextField
          label="Current password"
          name="password"
          type="password"
          autoComplete="current-password"
          hint="Required to change the email address."
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      )}
      <FormError text={form.problem()} />
      <div>
        <SubmitButton form={form}>Save profile</SubmitButton>
      </div>
    </Form>
  );
}
