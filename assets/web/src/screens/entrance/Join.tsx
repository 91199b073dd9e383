/** Takes up an invitation: as somebody new, or with the account one has. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { acceptInvitation, readInvitation } from '@/api/generated';
import { signedIn, useSession } from '@/api/session';
import { keys, queryClient } from '@/app/queries';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { Waiting } from '@/ui/Waiting';
import { Entrance } from './Entrance';
import styles from './Entrance.module.css';
import { Problem, SignIn } from './SignIn';
import { useForm } from './useForm';

export function Join() {
  const [secret] = useState(() => location.hash.slice(1));
  const isIn = useSession((state) => state.status === 'in');
  const [hasAccount, setHasAccount] = useState(false);
  const { data, error } = useQuery({
    queryKey: ['invitation', secret],
    queryFn: () => readInvitation(secret),
    retry: false,
  });
  if (error) {
    return (
      <Entrance title="This invitation cannot be used">
        <p>It was used or withdrawn, or is older than seven days. Ask for another one.</p>
        <Link href="/">Go to the sign-in</Link>
      </Entrance>
    );
  }
  if (!data) return <Waiting what="the invitation" />;
  if (hasAccount && !isIn) return <SignIn />;
  const role = data.role === 'org:admin' ? 'an administrator' : 'a member';
  return (
    <Entrance title={`Join ${data.organization}`}>
      <p>You are invited as {role}.</p>
      {isIn ? (
        <AsMyself secret={secret} />
      ) : (
        <AsNew secret={secret} onHasAccount={() => setHasAccount(true)} />
      )}
    </Entrance>
  );
}

function useAccepted() {
  const [, navigate] = useLocation();
  return async (answer: Parameters<typeof signedIn>[0]) => {
    signedIn(answer);
    await queryClient.invalidateQueries({ queryKey: keys.organizations });
    navigate('/', { replace: true });
  };
}

function AsMyself({ secret }: { secret: string }) {
  const user = useSession((state) => state.user);
  const accepted = useAccepted();
  const form = useForm([], async () => accepted(await acceptInvitation(secret, {})));
  return (
    <form className={styles.form} onSubmit={form.onSubmit}>
      <Problem text={form.problem()} />
      <Button kind="main" type="submit" busy={form.busy}>
        Join as {user?.displayName}
      </Button>
    </form>
  );
}

function AsNew({ secret, onHasAccount }: { secret: string; onHasAccount: () => void }) {
  const accepted = useAccepted();
  const form = useForm(['login', 'displayName', 'password'], async (fields) =>
    accepted(await acceptInvitation(secret, fields)),
  );
  return (
    <form className={styles.form} onSubmit={form.onSubmit} noValidate>
      <TextField
        label="Login"
        name="login"
        autoComplete="username"
        autoCapitalize="none"
        autoFocus
        problem={form.problem('login')}
      />
      <TextField
        label="Your name"
        name="displayName"
        autoComplete="name"
        problem={form.problem('displayName')}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        hint="8 to 128 characters"
        problem={form.problem('password')}
      />
      <Problem text={form.problem()} />
      <Button kind="main" type="submit" busy={form.busy}>
        Join
      </Button>
      <Button kind="quiet" onClick={onHasAccount}>
        I have an account already
      </Button>
    </form>
  );
}
