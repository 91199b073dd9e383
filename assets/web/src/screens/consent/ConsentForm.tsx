/** The question itself, and the two answers to it. No key but those on the buttons answers: a word given is not typed by mistake. */
import { useState } from 'react';
import { type ConsentRequest, decideConsent, type Organization } from '@/api/generated';
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
  { id: 'write', name: 'Read and change', hint: 'All that you may see and change there yourself' },
  { id: 'read', name: 'Read only', hint: 'It sees what you see there, and changes nothing' },
] as const;

/** A longer name could say something of its own in the headline, so it stands in the text alone; in characters. */
const MAX_HEADLINE_LENGTH = 40;

export function ConsentForm({ secret, request, organizations }: Props) {
  const { user, session } = useSession();
  const [orgId, setOrgId] = useState(
    () => organizations.find((one) => one.id === session?.orgId)?.id ?? organizations[0]?.id ?? '',
  );
  const [level, setLevel] = useState<'write' | 'read'>(request.canWrite ? 'write' : 'read');
  const [answer, setAnswer] = useState<'allowed' | 'denied' | null>(null);
  // An answer that was lost on its way is given again: it is the first one, and nothing is granted twice.
  const [key] = useState(newId);
  const { busy, error, run } = useAction();
  const name = request.clientName;
  const answered = (allow: boolean) =>
    run(async () => {
      const word = allow ? { allow, orgId, readOnly: level === 'read' } : { allow };
      const headers = { 'Idempotency-Key': `${key}-${allow}-${orgId}-${level}` };
      const { redirectTo } = await decideConsent({ request: secret, ...word }, { headers });
      setAnswer(allow ? 'allowed' : 'denied');
      location.assign(redirectTo);
    });
  if (answer) return <ConsentResult name={name} answer={answer} />;
  return (
    <SignInLayout title={name.length <= MAX_HEADLINE_LENGTH ? `Connect ${name}?` : 'Connect this program?'}>
      <p className={styles.description}>
        A program that calls itself <strong>{name}</strong> asks to use Planroom as you.
      </p>
      <DescriptionList
        of={[
          ['Its answer goes to', <Target key="target" request={request} />],
          ['You are', `${user?.displayName} (${user?.login})`],
        ]}
      />
      {request.nativeAddress && (
        <FormNote tone="warn">
          <p>
            This address opens an app on this computer. Any app installed here can claim it. Continue only if
            you started this in an app that you installed and trust.
          </p>
        </FormNote>
      )}
      {organizations.length === 0 ? (
        <FormNote tone="warn">
          <p>
            A program acts in one organization, and you are in none. Ask for an invitation to one, and connect
            it then.
          </p>
        </FormNote>
      ) : (
        <>
          <SelectField
            label="In the organization"
            value={orgId}
            onChange={(event) => setOrgId(event.currentTarget.value)}
            hint="It sees nothing of any other"
          >
            {organizations.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </SelectField>
          {request.canWrite ? (
            <RadioGroup label="It may" options={LEVELS} value={level} onChange={setLevel} />
          ) : (
            <p>It asks to read only. It sees what you see there, and changes nothing.</p>
          )}
        </>
      )}
      <FormError text={fieldErrors(error, [])()} />
      <div className={styles.actions}>
        <Button
          kind="main"
          busy={busy}
          disabled={organizations.length === 0}
          onClick={() => void answered(true)}
        >
          Allow
        </Button>
        <Button disabled={busy} onClick={() => void answered(false)}>
          Deny
        </Button>
      </div>
      <div className={styles.foot}>
        <p>
          Only allow what you have just begun yourself. In your account you can disconnect it at any time.
        </p>
        <Button kind="quiet" onClick={() => void signOut().catch(showError)}>
          That is not me: sign out
        </Button>
      </div>
    </SignInLayout>
  );
}

/** The host says more than the name: nobody else receives what is sent there. */
function Target({ request }: { request: ConsentRequest }) {
  if (request.nativeAddress) return <code>{request.nativeAddress}</code>;
  return (
    <>
      <code>{request.redirectHost}</code>
      {request.isLocal && ', a program on this computer'}
    </>
  );
}

function ConsentResult({ name, answer }: { name: string; answer: 'allowed' | 'denied' }) {
  return (
    <SignInLayout title={answer === 'allowed' ? 'The program is let in' : 'The program is not let in'}>
      <p role="status">
        {name} is being told. If this page stays, go back to the program; this page can be closed.
      </p>
    </SignInLayout>
  );
}
