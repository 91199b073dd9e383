/** A page in sections that each have an address: their names at the side (on a phone above), one of them shown. */
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import styles from './Sections.module.css';

export interface Section {
  /** The last part of its address; the first section's is left out. */
  id: string;
  name: string;
  icon: ReactNode;
}

interface Props {
  /** What the sections are of, for those who do not see it. */
  label: string;
  base: string;
  sections: readonly Section[];
  current: string;
  children: ReactNode;
}

export function Sections({ label, base, sections, current, children }: Props) {
  const here = useRef<HTMLAnchorElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone the current one is brought into view
  useEffect(() => {
    // In newer browsers it answers with a promise, which is no way to clean up.
    here.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <div className={styles.page}>
      <nav aria-label={label}>
        <ul className={styles.list}>
          {sections.map(({ id, name, icon }, place) => (
            <li key={id}>
              <Link
                ref={id === current ? here : null}
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
  /** What can be done with all of it. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** A sheet of paper on the page: one subject. */
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
