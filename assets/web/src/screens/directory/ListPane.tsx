/** The searchable list of people or teams on the left, or on a separate page on phones. */

import { ArrowLeft, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { Button } from '@/ui/Button';
import { SearchField } from '@/ui/SearchField';
import styles from './Directory.module.css';

export interface ListEntry {
  id: string;
  name: string;
  hint: string;
  icon: ReactNode;
}

interface Props {
  /** The accessible name, such as "people". */
  what: string;
  items: readonly ListEntry[];
  current: string | undefined;
  hrefOf: (id: string) => string;
  onNew: () => void;
  children: ReactNode;
}

/** Maximum number of rows shown. Search finds the others. */
const MAX_ROWS = 300;

export function ListPane({ what, items, current, hrefOf, onNew, children }: Props) {
  const [text, setText] = useState('');
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const found = items.filter(({ name, hint }) => {
    const all = `${name} ${hint}`.toLocaleLowerCase();
    return words.every((word) => all.includes(word));
  });
  return (
    <div className={styles.panes} data-chosen={current !== undefined || undefined}>
      <nav className={styles.list} aria-label={`All ${what}`}>
        <div className={styles.find}>
          <SearchField
            label={`Search ${what}`}
            placeholder={`Search ${items.length.toLocaleString('en')} ${what}`}
            value={text}
            onChange={setText}
            className={styles.search}
          />
          <Button icon={<Plus size={18} aria-hidden />} onClick={onNew}>
            New
          </Button>
        </div>
        <ul className={styles.items}>
          {found.slice(0, MAX_ROWS).map(({ id, name, hint, icon }) => (
            <li key={id}>
              <Link
                href={hrefOf(id)}
                className={styles.item}
                aria-current={id === current ? 'page' : undefined}
              >
                {icon}
                <span className={styles.names}>
                  <span className={styles.name}>{name}</span>
                  {hint && <span className={styles.hint}>{hint}</span>}
                </span>
              </Link>
            </li>
          ))}
        </ul>
        {found.length === 0 && items.length > 0 && (
          <p className={styles.soft} role="status">
            No matches.
          </p>
        )}
        {found.length > MAX_ROWS && (
          <p className={styles.soft}>… and {found.length - MAX_ROWS} more. Search to find them.</p>
        )}
      </nav>
      <div className={styles.detail}>
        {current !== undefined && (
          <Link href={hrefOf('')} className={styles.back}>
            <ArrowLeft size={16} aria-hidden /> All {what}
          </Link>
        )}
        {children}
      </div>
    </div>
  );
}
