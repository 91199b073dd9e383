/**
 * The authorization request with its two answers. There are no keyboard shortcuts, to prevent granting access by
 * accident.
 */
import { useState } from 'react';
import { type ConsentRequest, type Organization, resolveConsentRequest } from '@/api/generated';
import { useSession } from '@/api/session';
import { signOut } from '@/api/signOut';
import { newId } from '@/core/newId';
import { SignInLayout } from '@/screens/signIn/SignInLayout';
import { Button } from '@/ui/Button';
import { DescriptionList } from '@/ui/DataList';
import { SelectField } from '@/ui/Field';
import { FormError, FormNote } from '@/ui/Form';
import { fieldErrors } from '@/ui/formErrors';
import { RadioGroup } from '@/ui/RadioGroup';
import { showError } from '@/ui/Toasts';
import { useAction } from '@/ui/useAction';
import styles from './Consent.module.css';

interface Props {
  secret: string;
  request: ConsentRequest;
  organizations: readonly Organization[];
}

const LEVELS = [
  { id: 'write', name: 'Read and change', hint: 'Everything that you can view and edit' },
  { id: 'read', name: 'Read only', hint: 'Everything that you can view, without changes' },
] as const;

/** Maximum length of an app name in the title, in characters. A longer name could imitate a separate message. */
const MAX_HEADLINE_LENGTH = 40;

export function ConsentForm({ secret, request, organizations }: Props) {
  const { user, session } = useSession();
  const [orgId, setOrgId] = useState(
    () =>
      organizations.find((organization) => organization.id === session?.orgId)?.id ??
      organizations[0]?.id ??
      '',
  );
  const [level, setLevel] = useState<'write' | 'read'>(request.canWrite ? 'write' : 'read');
  const [decision, setDecision] = useState<'allowed' | 'denied' | null>(null);
  // If the response is lost, the request is repeated with the same key, so that access is granted only once.
  const [key] = useState(newId);
  const { busy, error, run } = useAction();
  const name = request.clientName;
  const decide = (allow: boolean) =>
    run(async () => {
      const word = allow ? { allow, orgId, readOnly: level === 'read' } : { allow };
      const headers = { 'Idempotency-Key': `${key}-${allow}-${orgId}-${level}` };
      const { redirectTo } = await resolveConsentRequest({ request: secret, ...word }, { headers });
      setDecision(allow ? 'allowed' : 'denied');
      location.assign(redirectTo);
    });
  if (decision) return <ConsentResult name={name} decision={decision} />;
  return (
    <SignInLayout title={name.length <= MAX_HEADLINE_LENGTH ? `Connect ${name}?` : 'Connect this app?'}>
      <p className={styles.description}>
        An app named <strong>{name}</strong> wants to access Planroom on your behalf.
      </p>
      <DescriptionList
        of={[
          ['Redirect URL', <Target key="target" request={request} />],
          ['Your account', `${user?.displayName} (${user?.login})`],
        ]}
      />
      {request.nativeAddress && (
        <FormNote tone="warn">
          <p>
            This URL opens an app on this computer. Any app installed here can claim it. Continue only if you
            started this in an app that you installed and trust.
          </p>
        </FormNote>
      )}
      {organizations.length === 0 ? (
        <FormNote tone="warn">
          <p>
            Apps connect to an organization, and you are not a member of any. Ask for an invitation, then
            connect the app again.
          </p>
        </FormNote>
      ) : (
        <>
          <SelectField
            label="Organization"
            value={orgId}
            onChange={(event) => setOrgId(event.currentTarget.value)}
            hint="The app has no access to other organizations"
          >
            {organizations.map((organization) => (
              <option key={organization.id} value={organization.id}>
                {organization.name}
              </option>
            ))}
          </SelectField>
          {request.canWrite ? (
            <RadioGroup label="Access" options={LEVELS} value={level} onChange={setLevel} />
          ) : (
            <p>
              The app requests read-only access. It can read everything that you can view, without changes.
            </p>
          )}
        </>
      )}
      <FormError text={fieldErrors(error, [])()} />
      <div className={styles.actions}>
        <Button
          kind="main"
          busy={busy}
          disabled={organizations.length === 0}
          onClick={() => void decide(true)}
        >
          Authorize
        </Button>
        <Button disabled={busy} onClick={() => void decide(false)}>
          Deny
        </Button>
      </div>
      <div className={styles.foot}>
        <p>
          Only authorize apps that you are connecting right now. You can disconnect the app in your account at
          any time.
        </p>
        <Button kind="quiet" onClick={() => void signOut().catch(showError)}>
          Not you? Sign out
        </Button>
      </div>
    </SignInLayout>
  );
}

/** Shows the host of the redirect URL, which identifies the recipient more reliably than the app's name. */
function Target({ request }: { request: ConsentRequest }) {
  if (request.nativeAddress) return <code>{request.nativeAddress}</code>;
  return (
    <>
      <code>{request.redirectHost}</code>
      {request.isLocal && ', an app on this computer'}
    </>
  );
}

function ConsentResult({ name, decision }: { name: string; decision: 'allowed' | 'denied' }) {
  return (
    <SignInLayout title={decision === 'allowed' ? 'App authorized' : 'Access denied'}>
      <p role="status">
        Returning to {name}. If nothing happens, go back to the app. You can close this page.
      </p>
    </SignInLayout>
  );
}
