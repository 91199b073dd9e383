/** A window that was opened to sign in again has done its work: it tells the page that waits, and goes. */
import { useEffect } from 'react';
import { useSession } from '@/api/session';
import { SignInRedirect } from './redirects';
import { SignInLayout } from './SignInLayout';
import { notifySignedIn } from './signInWindow';

export function SignedIn() {
  const isIn = useSession((state) => state.status === 'in');
  useEffect(() => {
    if (!isIn) return;
    notifySignedIn();
    window.close();
  }, [isIn]);
  if (!isIn) return <SignInRedirect />;
  return (
    <SignInLayout title="You are signed in">
      <p>Go back to where you were; this window can be closed.</p>
    </SignInLayout>
  );
}
