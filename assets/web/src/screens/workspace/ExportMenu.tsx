/** The export menu. */
import { Download } from 'lucide-react';
import { useState } from 'react';
import { type Action, actionTitle } from '@/actions/action';
import { exportActions } from '@/actions/export';
import { setImageOptions, useImageOptions } from '@/map/state/imageOptions';
import { useView } from '@/map/state/view';
import { IconButton } from '@/ui/Button';
import { Menu, MenuCheckbox, MenuItem, MenuSeparator } from '@/ui/Menu';
import { showError } from '@/ui/Toasts';
import { useWorkspace } from '@/workspace/store';

export function ExportMenu() {
  const [isBusy, setBusy] = useState(false);
  const run = async (action: Action) => {
    setBusy(true);
    try {
      await action.run();
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  const trigger = <IconButton label="Export" icon={<Download size={20} aria-hidden />} busy={isBusy} />;
  return (
    <Menu trigger={trigger}>
      <Items onRun={(action) => void run(action)} />
    </Menu>
  );
}

/** The menu items, updated while the menu is open. */
function Items({ onRun }: { onRun: (action: Action) => void }) {
  useWorkspace((state) => state.status);
  useWorkspace((state) => state.past);
  useView((view) => view.selectedComponents);
  const { title, legend } = useImageOptions();
  return (
    <>
      {exportActions.map((action) => {
        const { id, icon: Icon, isEnabled } = action;
        return (
          <MenuItem
            key={id}
            icon={Icon && <Icon size={16} />}
            disabled={isEnabled?.() === false}
            onSelect={() => onRun(action)}
          >
            {actionTitle(action)}
          </MenuItem>
        );
      })}
      <MenuSeparator />
      <MenuCheckbox checked={title} onChange={(title) => setImageOptions({ title })}>
        Title in images
      </MenuCheckbox>
      <MenuCheckbox checked={legend} onChange={(legend) => setImageOptions({ legend })}>
        Legend in images
      </MenuCheckbox>
    </>
  );
}
