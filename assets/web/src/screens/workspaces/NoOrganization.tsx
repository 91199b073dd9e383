/** Somebody who belongs to no organization, and what they can do about it. */
import { MailOpen } from 'lucide-react';
import { Shell } from '@/app/Shell';
import { Empty } from '@/ui/Empty';

export function NoOrganization() {
  return (
    <Shell middle={<h1 className="unseen">Workspaces</h1>}>
      <Empty title="You are in no organization yet" icon={<MailOpen size={36} aria-hidden />}>
        <p>Maps belong to organizations. Ask somebody in yours for an invitation, and open the link.</p>
        <p>Nothing is lost meanwhile: what you may see comes with the invitation.</p>
      </Empty>
    </Shell>
  );
}
