/** The last page of sign-in in a pop-up window. Notifies the page that opened it, then closes. */
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
      <p>You can close this window and return to Planroom.</p>
    </SignInLayout>
  );
}
