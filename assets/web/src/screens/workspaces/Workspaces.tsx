/** All maps of the organization that one may see. */
import { Link } from 'wouter';
import { useOrgSlug, workspacePath } from '@/app/paths';
import { useWorkspaces } from '@/app/queries';
import { Shell } from '@/app/Shell';
import { Failure } from '@/ui/Failure';
import { Waiting } from '@/ui/Waiting';

export function Workspaces() {
  const slug = useOrgSlug();
  const { data, error, refetch } = useWorkspaces();
  return (
    <Shell middle={<h1>Workspaces</h1>}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Waiting what="workspaces" />}
      <ul>
        {data?.workspaces.map((workspace) => (
          <li key={workspace.id}>
            <Link href={workspacePath(slug, workspace.id)}>{workspace.name}</Link>
          </li>
        ))}
      </ul>
    </Shell>
  );
}
