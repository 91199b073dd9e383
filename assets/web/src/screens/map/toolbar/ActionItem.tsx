/** An action as a menu item. */
import { isEnabled } from '@/actions';
import { type Action, actionShortcuts, actionTitle } from '@/actions/action';
import { runAction } from '@/actions/runAction';
import { formatShortcut } from '@/actions/shortcuts';
import { MenuItem } from '@/ui/Menu';

/** `onSelect` runs the action by default. */
export function ActionItem({ action, onSelect }: { action: Action; onSelect?: () => void }) {
  const Icon = action.icon;
  const refusal = action.refusal?.() ?? null;
  const [keys] = actionShortcuts(action);
  return (
    <MenuItem
      icon={Icon && <Icon size={16} />}
      keys={keys && formatShortcut(keys)}
      disabled={refusal !== null || !isEnabled(action)}
      title={refusal ?? undefined}
      onSelect={onSelect ?? (() => runAction(action))}
    >
      {actionTitle(action)}
    </MenuItem>
  );
}
