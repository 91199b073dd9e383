/** Undo and redo. */
import { Redo2, Undo2 } from 'lucide-react';
import { ApiError } from '@/api/errors';
import { usePlan } from '@/plan/store';
import { redo, undo } from '@/plan/undo';
import { complain, say } from '@/ui/Toasts';
import type { Action } from './action';
import { inPlan } from './place';

export const editActions: readonly Action[] = [
  {
    id: 'edit.undo',
    title: () => titled('Undo', usePlan.getState().done.at(-1)?.label),
    group: 'Edit',
    keys: ['Mod+Z'],
    icon: Undo2,
    isEnabled: () => inPlan() && usePlan.getState().done.length > 0,
    run: () => step(undo, 'done', 'Undone'),
  },
  {
    id: 'edit.redo',
    title: () => titled('Redo', usePlan.getState().undone.at(-1)?.label),
    group: 'Edit',
    keys: ['Mod+Shift+Z', 'Mod+Y'],
    icon: Redo2,
    isEnabled: () => inPlan() && usePlan.getState().undone.length > 0,
    run: () => step(redo, 'undone', 'Redone'),
  },
];

function titled(verb: string, label: string | undefined): string {
  return label ? `${verb}: ${label}` : verb;
}

async function step(work: () => Promise<string | undefined>, stack: 'done' | 'undone', word: string) {
  const label = usePlan.getState()[stack].at(-1)?.label;
  try {
    const did = await work();
    if (did) say(`${word}: ${did}`, undefined, 'undo');
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'changed_since') return complain(error);
    say(`Can’t undo “${label}”: ${whatChanged(error)}.`, {
      label: 'Skip',
      run: () => usePlan.setState((plan) => ({ [stack]: plan[stack].slice(0, -1) })),
    });
  }
}

/** Who changed what since then. Lists at most three changes. */
function whatChanged({ body, message }: ApiError): string {
  const changed = body.changed ?? [];
  if (changed.length === 0) return message;
  const named = changed
    .slice(0, 3)
    .map(({ entity, name, why, changedBy }) =>
      `${entity} “${name}” ${why}${changedBy && !why.includes(changedBy.displayName) ? ` by ${changedBy.displayName}` : ''}`.trim(),
    );
  const more = changed.length > 3 ? `, and ${changed.length - 3} more` : '';
  return named.join('; ') + more;
}
