/** Says that what is shown is not the present, and leads back to that. */
import { History } from 'lucide-react';
import { useLocation } from 'wouter';
import { explain } from '@/api/errors';
import { Button } from '@/ui/Button';
import { queryFor, useShownPast, useStateName, useStatesInAddress } from '@/workspace/pastState';
import styles from './workspace.module.css';

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
        {error
          ? `This state cannot be shown: ${explain(error)}`
          : `As of ${name}. Nothing can be changed here.`}
      </span>
      <Button onClick={() => navigate(path + queryFor({ since: error ? since : null }, location.search))}>
        Back to now
      </Button>
    </div>
  );
}
