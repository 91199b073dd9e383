/** The actions on a draft, as buttons, menu items and commands, with their dialogs. */
import {
  CircleX,
  ClipboardCopy,
  GitMerge,
  MessageSquarePlus,
  Pencil,
  RefreshCw,
  RotateCcw,
  Send,
  Undo2,
  UserRoundCheck,
} from 'lucide-react';
import { type ComponentType, type ReactNode, useState } from 'react';
import { usePageCommands } from '@/actions/pageCommands';
import { closeDraft, type Draft, updateDraft } from '@/api/generated';
import { useSession } from '@/api/session';
import { actionTitle, type DraftActionId, draftActions } from '@/core/drafts/actions';
import { truncate } from '@/core/text';
import { invalidateDraft, readDraftMarkdown } from '@/data/drafts';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { copyText } from '@/ui/copyText';
import { showError, showToast } from '@/ui/Toasts';
import { useWorkspace } from '@/workspace/store';
import { DetailsDialog } from './DetailsDialog';
import { ResolveDialog } from './ResolveDialog';
import { ReviewDialog } from './ReviewDialog';

export interface DraftAction {
  id: string;
  title: string;
  icon: ComponentType<{ size?: number }>;
  isDanger: boolean;
  run: () => void;
}

const ICONS: Readonly<Record<DraftActionId, DraftAction['icon']>> = {
  submit: Send,
  review: UserRoundCheck,
  merge: GitMerge,
  update: RefreshCw,
  edit: Pencil,
  withdraw: Undo2,
  comment: MessageSquarePlus,
  close: CircleX,
  reopen: RotateCcw,
};

interface Result {
  main: DraftAction | null;
  others: readonly DraftAction[];
  /** The open dialog. */
  dialog: ReactNode;
  open: (action: DraftActionId) => void;
}

export function useDraftActions(draft: Draft): Result {
  const userId = useSession((state) => state.user?.id);
  const [dialog, setDialog] = useState<DraftActionId | null>(null);
  const open = (action: DraftActionId) => {
    if (action === 'withdraw') void setState(draft, 'Withdrawn from review').catch(showError);
    else if (action === 'reopen') void setState(draft, 'Draft reopened').catch(showError);
    else setDialog(action);
  };
  const toAction = (id: DraftActionId): DraftAction => ({
    id,
    title: actionTitle(id, draft),
    icon: ICONS[id],
    isDanger: id === 'close',
    run: () => open(id),
  });
  const isEditor = useWorkspace(({ workspaceId, rows }) => {
    const role = rows?.workspace.myRole;
    return workspaceId === draft.workspaceId && (role === 'editor' || role === 'owner');
  });
  const { main, others } = draftActions(draft, userId, isEditor);
  const copy: DraftAction = {
    id: 'copy',
    title: 'Copy changes as Markdown',
    icon: ClipboardCopy,
    isDanger: false,
    run: () => void copyMarkdown(draft.id).catch(showError),
  };
  const all = others.map(toAction);
  const end = all.findIndex(({ isDanger }) => isDanger);
  const withCopy = end < 0 ? [...all, copy] : all.toSpliced(end, 0, copy);
  const first = main && toAction(main);
  usePageCommands(
    [...(first ? [first] : []), ...withCopy].map(({ id, title, icon, run }) => ({
      id: `drafts.${id}`,
      title,
      icon,
      run,
    })),
  );
  return {
    main: first,
    others: withCopy,
    dialog: <OpenDialog draft={draft} dialog={dialog} onOpen={setDialog} />,
    open,
  };
}

/** Copies what a merge would change, for a pull request or a message. */
export async function copyMarkdown(draftId: string): Promise<void> {
  const isCopied = await copyText(await readDraftMarkdown(draftId));
  if (isCopied) showToast('Changes copied as Markdown');
  else showError(new Error('Could not copy. This browser does not allow access to the clipboard.'));
}

/** Takes a draft back to its author, who can continue to edit it. */
async function setState(draft: Draft, message: string): Promise<void> {
  await updateDraft(draft.id, { state: 'draft' });
  await invalidateDraft(draft);
  showToast(message);
}

interface OpenDialogProps {
  draft: Draft;
  dialog: DraftActionId | null;
  onOpen: (dialog: DraftActionId | null) => void;
}

function OpenDialog({ draft, dialog, onOpen }: OpenDialogProps) {
  const close = () => onOpen(null);
  switch (dialog) {
    case 'edit':
    case 'submit':
      return <DetailsDialog draft={draft} isSubmission={dialog === 'submit'} onClose={close} />;
    case 'review':
    case 'comment':
      return <ReviewDialog draft={draft} onClose={close} />;
    case 'merge':
    case 'update':
      return (
        <ResolveDialog
          key={dialog}
          draft={draft}
          action={dialog}
          onUpdate={() => onOpen('update')}
          onClose={close}
        />
      );
    case 'close':
      return (
        <ConfirmDialog
          open
          onClose={close}
          title={`Close draft “${truncate(draft.title, 60)}”?`}
          confirm="Close draft"
          onConfirm={async () => {
            await closeDraft(draft.id);
            await invalidateDraft(draft);
            showToast('Draft closed');
          }}
        >
          <p>
            The workspace does not change. The author can reopen the draft for 30 days. After that, only the
            list of its changes is kept.
          </p>
        </ConfirmDialog>
      );
    default:
      return null;
  }
}
