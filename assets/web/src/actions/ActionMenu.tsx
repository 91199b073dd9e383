/** Actions as items of a menu: to be put into a `Menu`, or into a context menu, by their ids. */
import { MenuItem } from '@/ui/Menu';
import { actionOf, isEnabled } from '.';
import { titleOf } from './action';
import { showKeys } from './keys';
import { perform } from './perform';

/** An id that no action has is passed over. */
export function ActionMenu({ ids }: { ids: readonly string[] }) {
  return ids.map((id) => {
    const action = actionOf(id);
    if (!action) return null;
    const { icon: Icon, keys } = action;
    return (
      <MenuItem
        key={id}
        icon={Icon && <Icon size={16} aria-hidden />}
        {...(keys?.[0] ? { keys: showKeys(keys[0]) } : {})}
        disabled={!isEnabled(action)}
        onSelect={() => perform(action)}
      >
        {titleOf(action)}
      </MenuItem>
    );
  });
}
