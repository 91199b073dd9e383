/** The route table: every URL and its screen. */
import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { useSession } from '@/api/session';
import { Consent } from '@/screens/consent/Consent';
import { Join } from '@/screens/entrance/Join';
import { SetUp } from '@/screens/entrance/SetUp';
import { SignedIn } from '@/screens/entrance/SignedIn';
import { SignIn } from '@/screens/entrance/SignIn';
import { Workspaces } from '@/screens/workspaces/Workspaces';
import { Waiting } from '@/ui/Waiting';
import { NotFound } from './NotFound';
import { OrgScope } from './OrgScope';
import { HomeRedirect, SignInRedirect } from './redirects';

const Plan = lazy(() => import('@/screens/plan/Plan'));
const Directory = lazy(() => import('@/screens/directory/Directory'));
const OrganizationSettings = lazy(() => import('@/screens/organization/OrganizationSettings'));
const Account = lazy(() => import('@/screens/account/Account'));
const Administration = lazy(() => import('@/screens/administration/Administration'));

export function Screens() {
  // When a session expires, the page stays and the sign-in dialog opens over it.
  const isIn = useSession((state) => state.status === 'in' || state.status === 'ended');
  return (
    <Suspense fallback={<Waiting what="this page" />}>
      <Switch>
        <Route path="/setup" component={SetUp} />
        <Route path="/join" component={Join} />
        <Route path="/consent" component={Consent} />
        <Route path="/signed-in" component={SignedIn} />
        <Route path="/sign-in">{isIn ? <HomeRedirect /> : <SignIn />}</Route>
        {!isIn && <Route component={SignInRedirect} />}
        <Route path="/" component={HomeRedirect} />
        <Route path="/account/:section?" component={Account} />
        <Route path="/admin/:section?" component={Administration} />
        <Route path="/o/:org/*?">
          {() => (
            <OrgScope>
              <Switch>
                <Route path="/o/:org" component={Workspaces} />
                <Route path="/o/:org/w/:workspace/*?" component={Plan} />
                <Route path="/o/:org/settings/:section?" component={OrganizationSettings} />
                <Route path="/o/:org/:kind/:id?" component={Directory} />
                <Route component={NotFound} />
              </Switch>
            </OrgScope>
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
