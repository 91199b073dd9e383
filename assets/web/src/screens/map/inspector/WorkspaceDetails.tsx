/** Details of the workspace, shown when nothing is selected. */
import { Share2, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import { openDialog } from '@/actions/dialogs';
import type { Model } from '@/core/model/model';
import { unowned } from '@/core/model/model';
import { sharingOption } from '@/core/model/sharing';
import { nameProblem, textProblem } from '@/core/model/validation';
import { formatCount } from '@/core/text';
import { WatchButton } from '@/screens/inbox/WatchButton';
import { Button } from '@/ui/Button';
import { useBaseId } from '@/workspace/draftRequest';
import { edit } from '@/workspace/store';
import { useAuthor } from './authors';
import { Commenters } from './Commenters';
import { CommentsSection } from './CommentsSection';
import { DeleteWorkspace } from './DeleteWorkspace';
import { DraftsSection } from './DraftsSection';
import facts from './Facts.module.css';
import { InlineText } from './InlineText';
import styles from './Inspector.module.css';
import { Members } from './Members';
import { Section } from './Section';
import { SourcesSection } from './SourcesSection';
import { Timestamps } from './Timestamps';

export function WorkspaceDetails({ model, readOnly }: { model: Model; readOnly: boolean }) {
  const author = useAuthor();
  const [open, setOpen] = useState<'members' | 'delete' | null>(null);
  const { workspace } = model.rows;
  const isOwner = workspace.myRole === 'owner';
  const isDraft = useBaseId() !== undefined;
  const { accessRequests = 0 } = workspace;
  const text = (field: 'name' | 'description', label: string) => ({
    id: `workspace/${workspace.id}/${field}`,
    value: workspace[field] ?? '',
    revision: workspace.revision,
    changedBy: author(workspace.updatedBy),
    readOnly,
    save: (typed: string, since: string) => {
      const fields = { [field]: field === 'name' ? typed.trim() : typed };
      edit(label, [{ op: 'workspace', fields, before: { [field]: since } }]);
    },
  });
  return (
    <>
      <div className={styles.head}>
        <p className={styles.eyebrow}>Workspace</p>
        <InlineText
          {...text('name', 'Rename workspace')}
          label="Workspace name"
          hideLabel
          look="title"
          problemOf={nameProblem}
        />
      </div>
      <div className={styles.body}>
        <InlineText
          {...text('description', 'Edit workspace description')}
          label="Description"
          long
          placeholder="Add a description"
          problemOf={textProblem}
        />
        <p className={styles.hint}>Select a component or relationship to see its details.</p>
        <Contents model={model} />
        <div>
          <WatchButton target={{ type: 'workspace', workspaceId: workspace.id }} />
        </div>
        <CommentsSection anchor={{ type: 'workspace' }} />
        {!isDraft && <DraftsSection workspaceId={workspace.id} readOnly={readOnly} />}
        {isDraft ? (
          <Section title="Access">
            <p>Everyone who can view the workspace can view this draft.</p>
          </Section>
        ) : (
          <Section title="Access">
            <p>{sharingOption(workspace).meaning}</p>
            <div className={styles.buttons}>
              <Button icon={<Users size={16} aria-hidden />} onClick={() => setOpen('members')}>
                Manage access
                {accessRequests > 0 && <AccessRequestCount count={accessRequests} />}
              </Button>
              <Button icon={<Share2 size={16} aria-hidden />} onClick={() => openDialog('share')}>
                Share links
              </Button>
            </div>
            <Commenters workspaceId={workspace.id} isOwner={isOwner} />
          </Section>
        )}
        <SourcesSection workspaceId={workspace.id} readOnly={readOnly} />
        <Timestamps row={workspace} id={workspace.id} />
        {isOwner && (
          <div>
            <Button kind="danger" icon={<Trash2 size={16} aria-hidden />} onClick={() => setOpen('delete')}>
              Delete workspace
            </Button>
          </div>
        )}
      </div>
      <Members open={open === 'members'} onClose={() => setOpen(null)} workspace={workspace} />
      <DeleteWorkspace open={open === 'delete'} onClose={() => setOpen(null)} rows={model.rows} />
    </>
  );
}

function AccessRequestCount({ count }: { count: number }) {
  return (
    <span className={styles.badge} title={formatCount(count, 'access request')}>
      {count}
      <span className="unseen"> {count === 1 ? 'access request' : 'access requests'}</span>
    </span>
  );
}

function Contents({ model }: { model: Model }) {
  const { component, relationship, process } = model.rows;
  const unownedCount = unowned(model).length;
  return (
    <dl className={facts.numbers}>
      <Figure count={component.size} what="components" />
      <Figure count={relationship.size} what="relationships" />
      <Figure count={process.size} what="processes" />
      <Figure count={unownedCount} what="without owner" />
    </dl>
  );
}

function Figure({ count, what }: { count: number; what: string }) {
  return (
    <div>
      <dt>{what}</dt>
      <dd>{count.toLocaleString('en')}</dd>
    </div>
  );
}
