/** A page of sections with separate URLs. The navigation is on the side, or at the top on phones. */
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import styles from './Sections.module.css';

export interface Section {
  /** The last path segment; empty for the first section. */
  id: string;
  name: string;
  icon: ReactNode;
}

interface Props {
  /** The accessible name of the navigation. */
  label: string;
  base: string;
  sections: readonly Section[];
  current: string;
  children: ReactNode;
}

export function Sections({ label, base, sections, current, children }: Props) {
  const currentLink = useRef<HTMLAnchorElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll the current link into view when it changes
  useEffect(() => {
    // Newer browsers return a promise here, so don't return the result as a cleanup function.
    currentLink.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <div className={styles.page}>
      <nav aria-label={label}>
        <ul className={styles.list}>
          {sections.map(({ id, name, icon }, place) => (
            <li key={id}>
              <Link
                ref={id === current ? currentLink : null}
                href={place === 0 ? base : `${base}/${id}`}
                className={styles.item}
                aria-current={id === current ? 'page' : undefined}
              >
                {icon}
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.content}>{children}</div>
    </div>
  );
}

interface PanelProps {
  title: string;
  about?: ReactNode;
  /** Actions for the whole section. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** A panel about one topic. */
export function Panel({ title, about, actions, children }: PanelProps) {
  return (
    <section className={styles.panel}>
      <header className={styles.head}>
        <div className={styles.description}>
          <h2>{title}</h2>
          {about && <p className={styles.about}>{about}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  );
}
