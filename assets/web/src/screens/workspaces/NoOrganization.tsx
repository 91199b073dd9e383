/** Somebody who belongs to no organization, and what they can do about it. */
import { Shell } from '@/app/Shell';

export function NoOrganization() {
  return (
    <Shell>
      <h1>You are in no organization yet</h1>
      <p>Maps belong to organizations. Ask somebody in yours for an invitation link.</p>
    </Shell>
  );
}
