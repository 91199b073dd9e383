/** A collapsible section of the side panel. */
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './SidePanel.module.css';

interface Props {
  id?: string;
  title: string;
  count?: number;
  note?: string | undefined;
  open?: boolean;
  children: ReactNode;
}

export function CollapsibleSection({ id, title, count, note, open = false, children }: Props) {
  return (
    <details id={id} className={styles.collapsible} open={open}>
      <summary className={styles.summary}>
        <ChevronRight size={16} aria-hidden className={styles.chevron} />
        <span className={styles.heading}>{title}</span>
        {note && <span className={styles.note}>{note}</span>}
        {count !== undefined && <span className={styles.number}>{count.toLocaleString('en')}</span>}
      </summary>
      {children}
    </details>
  );
}
