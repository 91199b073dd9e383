/** The sources of the workspace, in its details. */
import { FileUp, FolderGit2, GitCompareArrows } from 'lucide-react';
import { openDialog } from '@/actions/dialogs';
import { formatCount } from '@/core/text';
import { useSources } from '@/data/sources';
import { openDrift } from '@/map/state/driftUrl';
import { Button } from '@/ui/Button';
import { openImport } from '@/workspace/importRequest';
import styles from './Inspector.module.css';
import { Section } from './Section';

export function SourcesSection({ workspaceId, readOnly }: { workspaceId: string; readOnly: boolean }) {
  const { data } = useSources(workspaceId);
  const count = data?.sources.length ?? 0;
  const missing = data?.sources.reduce((sum, source) => sum + source.missing, 0) ?? 0;
  return (
    <Section title="Code">
      <p className={styles.hint}>
        {count === 0
          ? 'Import Compose files, Kubernetes manifests, Terraform plans, diagrams and more, and import them again to keep the map in step.'
          : formatCount(count, 'source')}
        {missing > 0 && `, ${formatCount(missing, 'row')} gone from code`}
      </p>
      <div className={styles.buttons}>
        {!readOnly && (
          <Button icon={<FileUp size={16} aria-hidden />} onClick={() => openImport()}>
            Import files
          </Button>
        )}
        {count > 0 && (
          <>
            <Button icon={<FolderGit2 size={16} aria-hidden />} onClick={() => openDialog('sources')}>
              Sources
            </Button>
            <Button icon={<GitCompareArrows size={16} aria-hidden />} onClick={openDrift}>
              Drift
            </Button>
          </>
        )}
      </div>
    </Section>
  );
}
