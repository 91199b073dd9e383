/** Actions on drafts. The actions on one draft belong to its banner and its page. */
import { GitCompareArrows, GitPullRequestDraft } from 'lucide-react';
import { closeDraftComparison, isDraftComparisonOpen, openDraftComparison } from '@/map/state/draftUrl';
import { currentLocation, isMapOpen, isWorkspaceOpen, openWorkspacePath } from '@/map/state/location';
import { navigate } from '@/routing/location';
import { openBaseId, requestDraft } from '@/workspace/draftRequest';
import { canEdit } from '@/workspace/model';
import type { Action } from './action';

const isDraft = () => openBaseId() !== undefined;
const isComparing = () => isMapOpen() && isDraftComparisonOpen(location.search);

export const draftActions: readonly Action[] = [
  {
    id: 'drafts.start',
    title: () => (canEdit() ? 'Start draft' : 'Propose a change'),
    group: 'Edit',
    icon: GitPullRequestDraft,
    isEnabled: () => isWorkspaceOpen() && !isDraft(),
    run: requestDraft,
  },
  {
    id: 'go.drafts',
    title: 'Go to drafts',
    group: 'Go to',
    icon: GitPullRequestDraft,
    isEnabled: () => isWorkspaceOpen() && !isDraft() && currentLocation().rest !== 'drafts',
    run: () => navigate(openWorkspacePath('drafts')),
  },
  {
    id: 'go.changes',
    title: 'Go to changes of the draft',
    group: 'Go to',
    icon: GitPullRequestDraft,
    isEnabled: () => isWorkspaceOpen() && isDraft() && currentLocation().rest !== 'changes',
    run: () => navigate(openWorkspacePath('changes')),
  },
  {
    id: 'drafts.compare',
    title: () => (isComparing() ? 'Hide changes of the draft' : 'Show changes of the draft'),
    group: 'View',
    keys: ['Shift+B'],
    icon: GitCompareArrows,
    isEnabled: () => isWorkspaceOpen() && isDraft(),
    run: () => (isComparing() ? closeDraftComparison() : openDraftComparison()),
  },
];
