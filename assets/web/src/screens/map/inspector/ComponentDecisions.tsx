/** The decisions that concern a component. */
import { Link } from 'wouter';
import { decisionsOf } from '@/core/decisions/decisions';
import type { Model } from '@/core/model/model';
import { openWorkspacePath } from '@/map/state/location';
import { StatusBadge } from '@/screens/decisions/StatusBadge';
import styles from './Inspector.module.css';
import { Section } from './Section';

export function ComponentDecisions({ model, id }: { model: Model; id: string }) {
  const decisions = decisionsOf(model.rows.decision.values(), id);
  if (decisions.length === 0) return null;
  return (
    <Section title="Decisions" count={decisions.length}>
      <ul className={styles.list} aria-label="Decisions">
        {decisions.map((row) => (
          <li key={row.id} className={styles.row}>
            <Link href={openWorkspacePath('decisions', row.id)} className={styles.rowMain}>
              ADR {row.number}: {row.title}
            </Link>
            <StatusBadge status={row.status} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
