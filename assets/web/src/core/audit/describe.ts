/** Audit events as sentences, with the current names of objects. */
import type { AuditEvent, AuditEventObject } from '@/api/generated';
import { formatCount } from '../text';

/** A part of a sentence: text, or an object that can be linked. */
export type Part = string | AuditEventObject;

/** What happened, without the person who did it. `{kind}` stands for the object of that kind. */
const SENTENCES: Readonly<Record<string, string>> = {
  'session.begin': 'signed in',
  'session.end': 'signed out',
  'session.end-others': 'signed out other sessions',
  'session.end-by-password': 'signed out sessions that used a password',
  'session.organization': 'switched the active organization',
  'session.refuse': 'failed to sign in',
  'password.change': 'changed the password',
  'password.reset': 'reset the password of {user}',
  'password.refuse': 'entered a wrong password',
  'password.request-reset': 'requested a link to reset a password',
  'email.send-confirmation': 'requested a link to confirm their email address',
  'email.confirm': 'confirmed the email address of {user}',
  'second-factor.begin': 'started to set up two-factor authentication',
  'second-factor.enable': 'turned on two-factor authentication',
  'second-factor.disable': 'turned off two-factor authentication',
  'second-factor.refuse': 'entered a wrong authentication code',
  'second-factor.recovery-codes': 'created new recovery codes',
  'token.create': 'created {token}',
  'token.revoke': 'revoked {token}',
  'connector.allow': 'authorized {app}',
  'connector.deny': 'denied {app}',
  'connector.begin': 'connected an app',
  'connector.refresh': 'renewed the access of an app',
  'connector.revoke': 'revoked the access of {app}',
  'connector.disconnect': 'disconnected {app}',
  'connector.end': 'ended the access of an app',
  'user.create': 'created the account of {user}',
  'user.promote': 'made {user} an administrator of the instance',
  'user.demote': 'removed the administrator role of {user}',
  'user.suspend': 'suspended the account of {user}',
  'user.unsuspend': 'lifted the suspension of {user}',
  'user.profile': 'changed the profile of {user}',
  'user.address': 'changed the email address of {user}',
  'user.erase': 'erased {user}',
  'user.link': 'linked the account of {user} to the identity provider',
  'organization.create': 'created the organization {organization}',
  'organization.rename': 'renamed the organization {organization}',
  'organization.join': 'added {user} to {organization}',
  'organization.leave': 'removed {user} from {organization}',
  'organization.role': 'changed the role of {user} in {organization}',
  'invitation.create': 'invited {invitation} to {organization}',
  'invitation.accept': 'accepted an invitation to {organization}',
  'invitation.withdraw': 'revoked the invitation of {invitation} to {organization}',
  'invitation.end': 'ended invitations to {organization}',
  'waitlist.join': 'joined the waitlist',
  'waitlist.invite': 'invited an entry of the waitlist',
  'waitlist.remove': 'removed an entry of the waitlist',
  'workspace.duplicate': 'duplicated a workspace to {workspace}',
  'history.restore': 'restored an earlier state of {workspace}',
  'version.create': 'saved a version of {workspace}',
  'comments.update': 'changed who can comment in {workspace}',
  'thread.delete': 'deleted a comment thread in {workspace}',
  'thread-message.delete': 'deleted a comment in {workspace}',
  'version.delete': 'deleted a version of {workspace}',
  'version.restore': 'restored a version of {workspace}',
  'source.delete': 'deleted a source of {workspace}',
  'source.update': 'decided about a row of a source of {workspace}',
  'access-request.create': 'requested access to {workspace}',
  'access-request.delete': 'settled an access request of {workspace}',
  'wiki.connect': 'connected {organization} to the wiki',
  'wiki.broken': 'lost the connection of {organization} to the wiki',
  'wiki.mended': 'restored the connection of {organization} to the wiki',
  'wiki.disconnect': 'disconnected {organization} from the wiki',
  'setting.update': 'changed a setting of the instance',
  'key.rotate': 'replaced the signing key of sessions',
  'search.rebuild': 'rebuilt the search index',
};

/** What users did to their own account. */
const OWN: Readonly<Record<string, string>> = {
  'user.create': 'created their account',
  'user.profile': 'changed their profile',
  'user.address': 'changed their email address',
  'password.reset': 'reset their password',
  'email.confirm': 'confirmed their email address',
  'organization.join': 'joined {organization}',
  'organization.leave': 'left {organization}',
};

/** Words for an object that was deleted, or whose name the reader cannot see. */
const UNNAMED: Readonly<Record<string, string>> = {
  user: 'a user',
  organization: 'an organization',
  workspace: 'a workspace',
  token: 'a token',
  app: 'an app',
  invitation: 'someone',
};

const VERBS: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
};

/** The plural of a kind of row, where it is not formed with “s”. */
const PLURALS: Readonly<Record<string, string>> = {
  person: 'people',
  process: 'processes',
};

interface Changed {
  count: number;
  ids: readonly string[];
}

/** What an event says, after the name of the person who caused it. */
export function describeEvent(event: AuditEvent): Part[] {
  const isOwn = event.actorId !== null && (event.details as { userId?: unknown }).userId === event.actorId;
  const sentence = (isOwn ? OWN[event.kind] : undefined) ?? SENTENCES[event.kind];
  if (sentence !== undefined) return tidy(fill(sentence, event));
  const changes = changesOf(event);
  if (changes.length === 0) return [event.kind];
  return tidy([
    ...changes.flatMap((change, at) => [...(at > 0 ? [', '] : []), ...change]),
    ...placeOf(event),
  ]);
}

function fill(sentence: string, { objects }: AuditEvent): Part[] {
  return sentence.split(/(\{\w+\})/).flatMap((part): Part | Part[] => {
    const wanted = /^\{(\w+)\}$/.exec(part)?.[1];
    if (wanted === undefined) return part;
    const found = objects.find((object) => object.kind === wanted);
    if (!found) return UNNAMED[wanted] ?? wanted;
    return wanted === 'token' || wanted === 'app' ? [`the ${wanted} `, found] : found;
  });
}

/** The rows that an event changes, as “created Ledger” or “changed 3 components”. */
function changesOf({ details, objects }: AuditEvent): Part[][] {
  const changes = (details as { changes?: Record<string, Changed> }).changes ?? {};
  // A new workspace may have contents from the start, which are not listed.
  const all = Object.entries(changes);
  const own = all.filter(([change]) => change.startsWith('workspace.'));
  return (own.length > 0 ? own : all).map(([change, { count, ids }]) => {
    const [entity = '', op = ''] = change.split('.');
    if (entity === 'member') return memberChange(op, count, objects);
    const verb = VERBS[op] ?? op;
    if (entity === 'workspace') return [`${verb} the workspace`];
    const name = entity.replace('-', ' ');
    const [id] = ids;
    if (count !== 1 || id === undefined)
      return [`${verb} ${formatCount(count, name, PLURALS[entity] ?? `${name}s`)}`];
    const found = objects.find((object) => object.kind === entity && object.id === id);
    // Other rows have no names: the IDs of stakeholders, for example, are numbers.
    return found
      ? [`${verb} the ${name} `, found]
      : [`${verb} the ${name} ${/^\d+$/.test(id) ? '' : id}`.trim()];
  });
}

function memberChange(op: string, count: number, objects: readonly AuditEventObject[]): Part[] {
  const users = objects.filter(({ kind }) => kind === 'user');
  const [only] = users;
  const who: Part = count === 1 && only ? only : formatCount(count, 'member');
  if (op === 'create') return ['added ', who];
  if (op === 'delete') return ['removed ', who];
  return ['changed the access of ', who];
}

function placeOf({ details, objects }: AuditEvent): Part[] {
  const changed = Object.keys((details as { changes?: object }).changes ?? {});
  const workspace = objects.find(({ kind }) => kind === 'workspace');
  const organization = objects.find(({ kind }) => kind === 'organization');
  const place = workspace ?? ('workspacePk' in details ? undefined : organization);
  if (!place)
    return 'workspacePk' in details && !changed[0]?.startsWith('workspace.') ? [' in a workspace'] : [];
  if (changed[0]?.startsWith('workspace.')) return [' ', place];
  if (!changed.every((change) => change.startsWith('member.'))) return [' in ', place];
  const preposition = { create: ' to ', delete: ' from ' }[changed[0]?.split('.')[1] ?? ''];
  return [changed.length === 1 ? (preposition ?? ' in ') : ' in ', place];
}

/** Joins neighboring texts. */
function tidy(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === 'string' && typeof last === 'string') joined[joined.length - 1] = last + part;
    else if (part !== '') joined.push(part);
  }
  return joined;
}

/** The event as text, for exports and search. */
export function eventText(event: AuditEvent): string {
  return describeEvent(event)
    .map((part) => (typeof part === 'string' ? part : part.name))
    .join('');
}

/** All event types with a sentence, for the filter. */
export const EVENT_TYPES: readonly string[] = Object.keys(SENTENCES);
