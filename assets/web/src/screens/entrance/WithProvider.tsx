/** The button for the identity provider, and the error when the user returns without having signed in. */
import { LogIn } from 'lucide-react';
import { useSession } from '@/api/session';
import { useSignInConfig } from '@/app/queries';
import { problemText, startAddress, wantedAt } from '@/core/account/provider';
import { Button } from '@/ui/Button';
import { Remark } from '@/ui/Form';
import { keepHash } from './hash';

/** Goes to the provider in this window and returns to the requested page. */
export function WithProvider({ name, kind }: { name: string; kind: 'main' | 'plain' }) {
  const go = () => {
    const wanted = wantedAt(location);
    keepHash(wanted);
    location.assign(startAddress(wanted.path));
  };
  return (
    <Button kind={kind} icon={<LogIn size={18} aria-hidden />} onClick={go}>
      Sign in with {name}
    </Button>
  );
}

/** Why the sign-in failed. */
export function ProviderProblem() {
  const { data } = useSignInConfig();
  const wasSuspended = useSession((state) => state.wasSuspended);
  const problem = new URLSearchParams(location.search).get('problem') ?? (wasSuspended ? 'suspended' : null);
  if (!problem) return null;
  return (
    <Remark tone="warn">
      <p role="alert">{problemText(problem, data?.providerName ?? 'The identity provider')}</p>
    </Remark>
  );
}
