/** The state of a decision as text with an icon. */
import { Check, CircleDashed, CornerDownRight, X } from 'lucide-react';
import type { DecisionStatus } from '@/api/generated';
import { STATUS_NAMES } from '@/core/decisions/decisions';
import styles from './Decisions.module.css';

const ICONS = { proposed: CircleDashed, accepted: Check, superseded: CornerDownRight, rejected: X } as const;

export function StatusBadge({ status }: { status: DecisionStatus }) {
  const Icon = ICONS[status];
  return (
    <span className={styles.status} data-status={status}>
      <Icon size={14} aria-hidden />
      {STATUS_NAMES[status]}
    </span>
  );
}
