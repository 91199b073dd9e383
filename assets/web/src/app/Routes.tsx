/** The route table: every URL and its screen. */
import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { useSession } from '@/api/session';
import { Consent } from '@/screens/consent/Consent';
import { NotFound } from '@/screens/shell/NotFound';
import { AcceptInvitation } from '@/screens/signIn/AcceptInvitation';
import { ConfirmEmail } from '@/screens/signIn/ConfirmEmail';
import { ForgotPassword } from '@/screens/signIn/ForgotPassword';
import { LinkAccount } from '@/screens/signIn/LinkAccount';
import { ResetPassword } from '@/screens/signIn/ResetPassword';
import { HomeRedirect, SignInRedirect } from '@/screens/signIn/redirects';
import { SetUp } from '@/screens/signIn/SetUp';
import { SignedIn } from '@/screens/signIn/SignedIn';
import { SignIn } from '@/screens/signIn/SignIn';
import { Workspaces } from '@/screens/workspaces/Workspaces';
import { Loading } from '@/ui/Loading';
import { OrganizationScope } from './OrganizationScope';

const WorkspaceScreen = lazy(() => import('@/screens/workspace/WorkspaceScreen'));
const Directory = lazy(() => import('@/screens/directory/Directory'));
const OrganizationSettings = lazy(() => import('@/screens/organization/OrganizationSettings'));
const Account = lazy(() => import('@/screens/account/Account'));
const Administration = lazy(() => import('@/screens/administration/Administration'));

export function Routes() {
  // When a session expires, the page is kept and the sign-in dialog opens on top.
  const isIn = useSession((state) => state.status === 'in' || state.status === 'ended');
  return (
    <Suspense fallback={<Loading what="this page" />}>
      <Switch>
        <Route path="/setup" component={SetUp} />
        <Route path="/join" component={AcceptInvitation} />
        <Route path="/confirm-email" component={ConfirmEmail} />
        <Route path="/forgot-password" component={ForgotPassword} />
        <Route path="/reset-password" component={ResetPassword} />
        <Route path="/consent" component={Consent} />
        <Route path="/link-account" component={LinkAccount} />
        <Route path="/signed-in" component={SignedIn} />
        <Route path="/sign-in">{isIn ? <HomeRedirect /> : <SignIn />}</Route>
        {!isIn && <Route component={SignInRedirect} />}
        <Route path="/" component={HomeRedirect} />
        <Route path="/account/:section?" component={Account} />
        <Route path="/admin/:section?" component={Administration} />
        <Route path="/o/:org/*?">
          {() => (
            <OrganizationScope>
              <Switch>
                <Route path="/o/:org" component={Workspaces} />
                <Route path="/o/:org/w/:workspace/*?" component={WorkspaceScreen} />
                <Route path="/o/:org/settings/:section?" component={OrganizationSettings} />
                <Route path="/o/:org/:kind/:id?" component={Directory} />
                <Route component={NotFound} />
              </Switch>
            </OrganizationScope>
          )}
        </Route>
        <Route path="/o">
          <Redirect to="/" />
        </Route>
        <Route component={NotFound} />
      </Switch>
    </Suspense>
  );
}
