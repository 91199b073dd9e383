/** The menu of a view, in the bar and in the list. */

import { Copy, Diff, Link2, ListChecks, Move, Pencil, Save, Spline, Trash2 } from 'lucide-react';
import { fullUrl } from '@/api/base';
import { changeView, copyView, deleteView, setViewLayout } from '@/map/edits/views';
import { useOpenView, viewAt } from '@/map/state/openView';
import { useView } from '@/map/state/view';
import { openViewDialog } from '@/map/state/viewDialogs';
import { goToView, viewPath } from '@/map/state/viewNavigation';
import { hasOtherOptions } from '@/map/state/viewUrl';
import { copyText } from '@/ui/copyText';
import { MenuItem, MenuSeparator } from '@/ui/Menu';
import { showError, showToast } from '@/ui/Toasts';
import { useCanEdit } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';

const ICON = { size: 16, 'aria-hidden': true } as const;

async function copyAndOpen(address: string): Promise<void> {
  const copy = await copyView(address);
  if (copy !== undefined) goToView(copy);
}

async function copyLink(address: string): Promise<void> {
  const link = fullUrl(viewPath(address));
  showToast((await copyText(link)) ? 'Link to this view copied' : `Could not copy. Link: ${link}`);
}

export function ViewMenuItems({ address }: { address: string }) {
  const canEdit = useCanEdit();
  const isPast = useWorkspace((state) => state.past !== null);
  const open = useOpenView();
  const view = viewAt(address);
  if (!view) return null;
  const isPersonal = address.startsWith('~');
  const canChange = (canEdit || isPersonal) && !isPast;
  const isOpen = open?.address === address;
  return (
    <>
      {canChange && (
        <MenuItem icon={<Pencil {...ICON} />} onSelect={() => openViewDialog({ kind: 'rename', address })}>
          Rename and describe…
        </MenuItem>
      )}
      {canChange && isOpen && <OpenItems address={address} />}
      {canChange && (
        <MenuItem icon={<Copy {...ICON} />} onSelect={() => void copyAndOpen(address).catch(showError)}>
          Copy view
        </MenuItem>
      )}
      <MenuItem icon={<Diff {...ICON} />} onSelect={() => openViewDialog({ kind: 'compare', address })}>
        Compare with another view…
      </MenuItem>
      {!isPersonal && (
        <MenuItem icon={<Link2 {...ICON} />} onSelect={() => void copyLink(address)}>
          Copy link
        </MenuItem>
      )}
      {canChange && (
        <>
          <MenuSeparator />
          <MenuItem
            icon={<Trash2 {...ICON} />}
            danger
            onSelect={() => void deleteView(address).catch(showError)}
          >
            Delete view
          </MenuItem>
        </>
      )}
    </>
  );
}

/** Items for the view that is shown. */
function OpenItems({ address }: { address: string }) {
  const open = useOpenView();
  if (!open) return null;
  const { layout, definition, name } = open.view;
  const hasStubs = definition.outside === 'stubs';
  const saveOptions = () => {
    const { lens, collapsed } = useView.getState();
    const colorBy = lens === 'type' ? null : lens;
    changeView(address, `Change colors and groups of view “${name}”`, {
      definition: { ...definition, colorBy, collapsed: [...collapsed] },
    });
  };
  return (
    <>
      <MenuItem icon={<ListChecks {...ICON} />} onSelect={() => openViewDialog({ kind: 'rules' })}>
        Edit rules…
      </MenuItem>
      <MenuItem icon={<Move {...ICON} />} onSelect={() => setViewLayout(layout === 'own' ? 'shared' : 'own')}>
        {layout === 'own' ? 'Use positions of the map' : 'Arrange this view separately'}
      </MenuItem>
      <MenuItem
        icon={<Spline {...ICON} />}
        onSelect={() =>
          changeView(address, `${hasStubs ? 'Hide' : 'Show'} neighbors outside of view “${name}”`, {
            definition: { ...definition, outside: hasStubs ? 'hidden' : 'stubs' },
          })
        }
      >
        {hasStubs ? 'Hide neighbors outside' : 'Show neighbors outside'}
      </MenuItem>
      <MenuItem icon={<Save {...ICON} />} disabled={!hasOtherOptions()} onSelect={saveOptions}>
        Save colors and collapsed groups
      </MenuItem>
    </>
  );
}
