/** The help menu: keyboard shortcuts, the documentation and the version. */

import { BookOpen, CircleHelp, Keyboard, Sparkles, Webhook } from 'lucide-react';
import { openDialog } from '@/actions/dialogs';
import { withBase } from '@/api/base';
import { VERSION } from '@/core/version';
import { IconButton } from '@/ui/Button';
import { Menu, MenuItem } from '@/ui/Menu';

export function HelpMenu() {
  return (
    <Menu trigger={<IconButton label="Help" icon={<CircleHelp size={20} aria-hidden />} />}>
      <HelpItems />
    </Menu>
  );
}

/** The entries of the menu, which narrow windows show in the account menu. */
export function HelpItems() {
  return (
    <>
      <MenuItem icon={<Keyboard size={16} aria-hidden />} keys="?" onSelect={() => openDialog('shortcuts')}>
        Keyboard shortcuts
      </MenuItem>
      <MenuItem icon={<BookOpen size={16} aria-hidden />} onSelect={() => openPage('/docs')}>
        Documentation
      </MenuItem>
      <MenuItem icon={<Webhook size={16} aria-hidden />} onSelect={() => openPage('/docs/reference/')}>
        API reference
      </MenuItem>
      <MenuItem icon={<Sparkles size={16} aria-hidden />} onSelect={() => openPage('/docs/changelog')}>
        What’s new in version {VERSION}
      </MenuItem>
    </>
  );
}

/** Opens a page of the server that is not part of this client, in a new tab, so that no unsaved input is lost. */
function openPage(path: string): void {
  window.open(withBase(path), '_blank', 'noopener');
}
