/** Selects the details shown on cards. */
import { type CardDetails, setCardDetails, useCardDetails } from '@/map/state/cardDetails';
import { CollapsibleSection } from './CollapsibleSection';
import styles from './SidePanel.module.css';

const DETAILS: readonly { id: keyof CardDetails; label: string }[] = [
  { id: 'description', label: 'Descriptions' },
  { id: 'owner', label: 'Owners' },
];

export function CardSettings() {
  const details = useCardDetails();
  return (
    <CollapsibleSection title="Cards">
      <ul className={styles.choices} aria-label="Details on cards">
        {DETAILS.map(({ id, label }) => (
          <li key={id}>
            <label className={styles.choice}>
              <input
                type="checkbox"
                checked={details[id]}
                onChange={() => setCardDetails({ [id]: !details[id] })}
              />
              <span className={styles.label}>{label}</span>
            </label>
          </li>
        ))}
      </ul>
    </CollapsibleSection>
  );
}
