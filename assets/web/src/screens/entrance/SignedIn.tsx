/** The end of sign-in in a pop-up window: notifies the page that waits for it, then closes. */
import { useEffect } from 'react';
import { useSession } from '@/api/session';
import { SignInRedirect } from '@/app/redirects';
import { Entrance } from './Entrance';
import { tellSignedIn } from './window';

export function SignedIn() {
  const isIn = useSession((state) => state.status === 'in');
  useEffect(() => {
    if (!isIn) return;
    tellSignedIn();
    window.close();
  }, [isIn]);
  if (!isIn) return <SignInRedirect />;
  return (
    <Entrance title="You are signed in">
      <p>You can close this window and return to Planroom.</p>
    </Entrance>
  );
}
