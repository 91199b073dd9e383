/** The decisions screen: the list, and the decision in the URL. */
import { Gavel, Plus, Upload } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { usePageCommands } from '@/actions/pageCommands';
import { isDecisionFile } from '@/core/decisions/decisions';
import { useOrgSlug, useSegment, workspacePath } from '@/routing/paths';
import { useFileDrop } from '@/screens/import/useFileDrop';
import { Button } from '@/ui/Button';
import { chooseFiles } from '@/ui/chooseFiles';
import { EmptyState } from '@/ui/EmptyState';
import list from '@/ui/ListDetail.module.css';
import { showToast } from '@/ui/Toasts';
import { hasKeptInput } from '@/workspace/keptInput';
import { useCanEdit } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { DecisionForm, decisionInputId } from './DecisionForm';
import { DecisionList } from './DecisionList';
import { DecisionPage } from './DecisionPage';
import styles from './Decisions.module.css';
import { ImportDecisions } from './ImportDecisions';

export default function Decisions() {
  const decisionId = useSegment(5) ?? '';
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const row = useWorkspace((state) => state.rows?.decision.get(decisionId));
  const canEdit = useCanEdit();
  const slug = useOrgSlug();
  const [, navigate] = useLocation();
  const [isNew, setNew] = useState(() => hasKeptInput(decisionInputId()));
  const [files, setFiles] = useState<readonly File[] | null>(null);
  const importFiles = (chosen: readonly File[]) => {
    const wanted = chosen.filter(({ name }) => isDecisionFile(name));
    if (wanted.length > 0) setFiles(wanted);
    else if (chosen.length > 0)
      showToast('No decisions found. Names of files begin with a number: 0005-title.md.');
  };
  const choose = () => void chooseFiles(['.md', '.markdown'], true).then(importFiles);
  const begin = () => {
    setNew(true);
    if (decisionId) navigate(workspacePath(slug, workspaceId, 'decisions'));
  };
  const isOver = useFileDrop((dropped) => canEdit && importFiles(dropped));
  usePageCommands(
    canEdit
      ? [
          { id: 'decisions.new', title: 'New decision', icon: Plus, run: begin },
          { id: 'decisions.import', title: 'Import decisions', icon: Upload, run: choose },
        ]
      : [],
  );
  const isEditing = isNew && canEdit && !decisionId;
  return (
    <div className={list.screen} data-open={decisionId || isEditing ? true : undefined}>
      <DecisionList
        current={decisionId}
        onNew={begin}
        onResume={() => setNew(true)}
        onImport={choose}
        onOpen={() => setNew(false)}
      />
      <section className={`${list.work} ${styles.work}`} aria-label="Decision">
        {isEditing ? (
          <DecisionForm
            onClose={(id) => {
              setNew(false);
              if (id) navigate(workspacePath(slug, workspaceId, 'decisions', id));
            }}
          />
        ) : row ? (
          <DecisionPage key={decisionId} workspaceId={workspaceId} row={row} />
        ) : (
          <NoDecision isMissing={decisionId !== ''} canEdit={canEdit} onNew={begin} onImport={choose} />
        )}
      </section>
      {isOver && canEdit && (
        <div className={styles.drop} role="status">
          Drop Markdown files to import decisions
        </div>
      )}
      {files && <ImportDecisions workspaceId={workspaceId} files={files} onClose={() => setFiles(null)} />}
    </div>
  );
}

interface NoDecisionProps {
  isMissing: boolean;
  canEdit: boolean;
  onNew: () => void;
  onImport: () => void;
}

/** No decision is selected, none exists, or the one in the URL does not exist. */
function NoDecision({ isMissing, canEdit, onNew, onImport }: NoDecisionProps) {
  const some = useWorkspace((state) => (state.rows?.decision.size ?? 0) > 0);
  const title = isMissing ? 'Decision not found' : some ? 'Select a decision' : 'No decisions yet';
  return (
    <EmptyState title={title} icon={<Gavel size={36} aria-hidden />}>
      <p>
        {isMissing
          ? 'It was deleted, or the URL is mistyped. Select another decision from the list.'
          : 'An architecture decision record (ADR) says what was decided, why, and which components it concerns.'}
      </p>
      {canEdit && !isMissing && (
        <div className={styles.row}>
          <Button kind="main" icon={<Plus size={18} aria-hidden />} onClick={onNew}>
            New decision
          </Button>
          <Button icon={<Upload size={16} aria-hidden />} onClick={onImport}>
            Import Markdown files
          </Button>
        </div>
      )}
    </EmptyState>
  );
}
