/** The open access requests of a workspace, which its owners grant or decline. */
import { useQuery } from '@tanstack/react-query';
import {
  type AccessRequest,
  deleteAccessRequest,
  listAccessRequests,
  putMember,
  type Workspace,
} from '@/api/generated';
import { useSession } from '@/api/session';
import { useUserAvatar } from '@/data/photos';
import { queryKeys } from '@/data/queries';
import { Avatar } from '@/ui/Avatar';
import { Button } from '@/ui/Button';
import { RelativeTime } from '@/ui/RelativeTime';
import styles from './AccessRequests.module.css';

interface Props {
  workspace: Workspace;
  onChange: (write: () => Promise<unknown>) => void;
}

export function AccessRequests({ workspace: { id, accessRequests = 0 }, onChange }: Props) {
  const orgId = useSession((state) => state.session?.orgId ?? '');
  // The number of requests is part of the key, so that the list is loaded again when it changes.
  const { data, error } = useQuery({
    queryKey: [...queryKeys.members(orgId, id), 'requests', accessRequests],
    queryFn: () => listAccessRequests(id),
    enabled: accessRequests > 0,
    // As many requests as before can be other requests, so no earlier list is shown.
    staleTime: 0,
    gcTime: 0,
  });
  if (error) return <p role="alert">{error.message}</p>;
  if (!data || accessRequests === 0) return null;
  return (
    <section className={styles.requests}>
      <h3>Access requests</h3>
      <ul aria-label="Access requests">
        {data.accessRequests.map((request) => (
          <Request key={request.userId} request={request} onChange={onChange} />
        ))}
      </ul>
    </section>
  );
}

function Request({ request, onChange }: { request: AccessRequest; onChange: Props['onChange'] }) {
  const avatarOf = useUserAvatar();
  const { workspaceId, userId, user, role, message, requestedAt } = request;
  return (
    <li className={styles.request}>
      <Avatar {...avatarOf(user)} />
      <div className={styles.text}>
        <strong>{user.displayName}</strong>{' '}
        <small>
          <RelativeTime time={requestedAt} />
        </small>
        {message && <p>{message}</p>}
      </div>
      <Button
        kind="main"
        aria-label={`Grant ${user.displayName} edit access`}
        onClick={() => onChange(() => putMember(workspaceId, { userId, role }))}
      >
        Grant
      </Button>
      <Button
        aria-label={`Decline the request of ${user.displayName}`}
        onClick={() => onChange(() => deleteAccessRequest(workspaceId, userId))}
      >
        Decline
      </Button>
    </li>
  );
}
