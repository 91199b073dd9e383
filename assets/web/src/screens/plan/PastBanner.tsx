/** Shows that a past version is displayed, with a button back to the current one. */
import { History } from 'lucide-react';
import { useLocation } from 'wouter';
import { explain } from '@/api/errors';
import { queryFor, useShownPast, useStateName, useStatesInAddress } from '@/plan/past';
import { Button } from '@/ui/Button';
import styles from './plan.module.css';

export function PastBanner() {
  const { at, data, error } = useShownPast();
  const { since } = useStatesInAddress();
  const name = useStateName(at, data);
  const [path, navigate] = useLocation();
  if (!at) return null;
  return (
    <div className={styles.banner} role="status">
      <History size={18} aria-hidden />
      <span className={styles.bannerText}>
        {error ? `Could not load this version: ${explain(error)}` : `Viewing ${name} (read-only)`}
      </span>
      <Button onClick={() => navigate(path + queryFor({ since: error ? since : null }, location.search))}>
        Back to current
      </Button>
    </div>
  );
}
