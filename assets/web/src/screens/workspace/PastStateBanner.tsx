/** Shows that a past state is displayed, with a button to return to the current one. */
import { History as HistoryIcon } from 'lucide-react';
import { useLocation } from 'wouter';
import { errorText } from '@/api/errors';
import { Button } from '@/ui/Button';
import { statesQuery, useShownPastState, useStateName, useUrlStates } from '@/workspace/pastState';
import styles from './workspace.module.css';

export function PastStateBanner() {
  const { at, data, error } = useShownPastState();
  const { since } = useUrlStates();
  const name = useStateName(at, data);
  const [path, navigate] = useLocation();
  if (!at) return null;
  return (
    <div className={styles.banner} role="status">
      <HistoryIcon size={18} aria-hidden />
      <span className={styles.bannerText}>
        {error ? `Could not load this version: ${errorText(error)}` : `Viewing ${name} (read-only)`}
      </span>
      <Button onClick={() => navigate(path + statesQuery({ since: error ? since : null }, location.search))}>
        Back to current
      </Button>
    </div>
  );
}
