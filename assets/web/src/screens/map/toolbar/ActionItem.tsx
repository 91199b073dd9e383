/** An action as a menu item. */
import { isEnabled } from '@/actions';
import { type Action, keysOf, titleOf } from '@/actions/action';
import { showKeys } from '@/actions/keys';
import { perform } from '@/actions/perform';
import { MenuItem } from '@/ui/Menu';

/** `onSelect` runs the action by default. */
export function ActionItem({ action, onSelect }: { action: Action; onSelect?: () => void }) {
  const Icon = action.icon;
  const refusal = action.refusal?.() ?? null;
  const [keys] = keysOf(action);
  return (
    <MenuItem
      icon={Icon && <Icon size={16} />}
      keys={keys && showKeys(keys)}
      disabled={refusal !== null || !isEnabled(action)}
      title={refusal ?? undefined}
      onSelect={onSelect ?? (() => perform(action))}
    >
      {titleOf(action)}
    </MenuItem>
  );
}
