/** A share link with its actions. */
import { useMutation } from '@tanstack/react-query';
import {
  Code,
  Copy,
  Ellipsis,
  Image as ImageIcon,
  Pencil,
  RefreshCw,
  TimerReset,
  Trash2,
  UserCheck,
} from 'lucide-react';
import { useState } from 'react';
import {
  adoptShare,
  revokeShare,
  rotateShare,
  type ShareLink,
  type SharingRules,
  updateShare,
} from '@/api/generated';
import { useSession } from '@/api/session';
import { defaultExpiry, embedCode, expiryIn, imageUrl, SHARE_STATES } from '@/core/model/shareLinks';
import { queryClient, queryKeys } from '@/data/queries';
import { Button, IconButton } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { copyText } from '@/ui/copyText';
import { Badge, DataRow } from '@/ui/DataList';
import { Menu, MenuItem, MenuSeparator } from '@/ui/Menu';
import { expiryFact, usesFact } from '@/ui/shareFacts';
import { showError, showToast } from '@/ui/Toasts';
import { useShareTarget } from './shareTexts';

interface Props {
  share: ShareLink;
  rules: SharingRules;
  workspaceId: string;
  /** Shows the form of the link. */
  onEdit: () => void;
}

type Question = 'rotate' | 'revoke' | null;

export function ShareRow({ share, rules, workspaceId, onEdit }: Props) {
  const orgId = useSession((state) => state.session?.orgId ?? '');
  const [question, setQuestion] = useState<Question>(null);
  const target = useShareTarget(share);
  const refresh = () => queryClient.invalidateQueries({ queryKey: queryKeys.shares(orgId, workspaceId) });
  const write = useMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    onError: showError,
    onSettled: refresh,
  });
  const copy = async (what: string, text: string) => {
    const isDone = await copyText(text);
    showToast(
      isDone ? `${what} copied` : 'Could not copy. Select the address in the list and copy it manually.',
    );
  };
  const extend = () =>
    updateShare(workspaceId, share.id, { expiresAt: expiryIn(defaultExpiry(rules), Date.now()) });
  const state = SHARE_STATES[share.state];
  return (
    <DataRow
      title={share.name}
      badges={
        <>
          <Badge tone={state.tone}>{state.name}</Badge>
          {share.hasPassword && <Badge>Password</Badge>}
        </>
      }
      facts={[
        target,
        expiryFact(share),
        usesFact(share),
        `On behalf of ${share.owner.displayName}`,
        share.theme !== 'auto' && `Always ${share.theme}`,
        share.embedOrigins.length > 0 && `Embedded by ${share.embedOrigins.join(', ')}`,
      ]}
      text={state.meaning}
      actions={
        <>
          <Button
            icon={<Copy size={16} aria-hidden />}
            aria-label={`Copy link ${share.name}`}
            onClick={() => void copy('Link', share.url)}
          >
            Copy link
          </Button>
          <Menu
            trigger={
              <IconButton
                label={`More actions for ${share.name}`}
                icon={<Ellipsis size={18} aria-hidden />}
              />
            }
          >
            <MenuItem icon={<Pencil size={16} />} onSelect={onEdit}>
              Edit link
            </MenuItem>
            {!share.hasPassword && (
              <MenuItem
                icon={<ImageIcon size={16} />}
                onSelect={() => void copy('Image address', imageUrl(share))}
              >
                Copy image address
              </MenuItem>
            )}
            {share.embedOrigins.length > 0 && (
              <MenuItem icon={<Code size={16} />} onSelect={() => void copy('Embed code', embedCode(share))}>
                Copy embed code
              </MenuItem>
            )}
            <MenuItem icon={<TimerReset size={16} />} onSelect={() => write.mutate(extend)}>
              Extend link
            </MenuItem>
            {share.state === 'paused' && (
              <MenuItem
                icon={<UserCheck size={16} />}
                onSelect={() => write.mutate(() => adoptShare(workspaceId, share.id))}
              >
                Adopt link
              </MenuItem>
            )}
            <MenuSeparator />
            <MenuItem icon={<RefreshCw size={16} />} onSelect={() => setQuestion('rotate')}>
              Rotate link
            </MenuItem>
            <MenuItem danger icon={<Trash2 size={16} />} onSelect={() => setQuestion('revoke')}>
              Revoke link
            </MenuItem>
          </Menu>
        </>
      }
    >
      <ConfirmDialog
        open={question === 'rotate'}
        onClose={() => setQuestion(null)}
        title={`Rotate “${share.name}”?`}
        confirm="Rotate link"
        kind="main"
        onConfirm={async () => {
          await rotateShare(workspaceId, share.id);
          await refresh();
          showToast('Link rotated. Copy its new address.');
        }}
      >
        <p>The link gets a new address. The current address stops working at once.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={question === 'revoke'}
        onClose={() => setQuestion(null)}
        title={`Revoke “${share.name}”?`}
        confirm="Revoke link"
        onConfirm={async () => {
          await revokeShare(workspaceId, share.id);
          await refresh();
          showToast('Link revoked');
        }}
      >
        <p>The link and everything that embeds it stop working at once. This cannot be undone.</p>
      </ConfirmDialog>
    </DataRow>
  );
}
