/** What can be done, as a row of a menu. */
import { isEnabled } from '@/actions';
import { type Action, keysOf, titleOf } from '@/actions/action';
import { perform } from '@/actions/perform';
import { showKeys } from '@/actions/shortcuts';
import { MenuItem } from '@/ui/Menu';

/** `onSelect` does it, unless told otherwise. */
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
