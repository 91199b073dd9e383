/** Texts about share links. */
import type { ShareLink, ShareState } from '@/api/generated';
import { formatCount } from '@/core/text';
import { useWorkspace } from '@/workspace/store';

interface StateText {
  name: string;
  tone: 'good' | 'warn' | 'plain';
  /** What to do about it. */
  meaning?: string;
}

export const SHARE_STATES: Readonly<Record<ShareState, StateText>> = {
  active: { name: 'Active', tone: 'good' },
  paused: {
    name: 'Paused',
    tone: 'warn',
    meaning: 'Its user is no longer an owner of this workspace. Adopt the link or revoke it.',
  },
  expired: { name: 'Expired', tone: 'plain', meaning: 'Extend the link or revoke it.' },
  blocked: {
    name: 'Blocked',
    tone: 'warn',
    meaning: 'The rules of an administrator do not allow this link. It does not work.',
  },
};

/** What a link shows, in words. */
export function useShareTarget({ scope, viewId, processId, componentIds = [] }: ShareLink): string {
  const view = useWorkspace((state) => (viewId ? state.rows?.view.get(viewId)?.name : undefined));
  const process = useWorkspace((state) => (processId ? state.rows?.process.get(processId)?.name : undefined));
  if (scope === 'view') return view ? `view “${view}”` : 'a deleted view';
  if (scope === 'process') return process ? `process “${process}”` : 'a deleted process';
  return scope === 'part' ? formatCount(componentIds.length, 'component') : 'the whole map';
}
