/** The panel of comments beside the map: threads with filters, one thread, or a new one. */
import { ArrowLeft, MessageSquarePlus, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSearch } from 'wouter';
import { currentPath } from '@/api/base';
import type { Anchor, NewAnchor } from '@/api/generated';
import { isSameAnchor } from '@/core/comments/overview';
import { type ThreadFilter, useCommentOverview, useThread } from '@/data/comments';
import {
  COMMENTS_ID,
  hideComments,
  selectedAnchor,
  setCommentMarks,
  showComments,
  showThread,
  useComments,
  writeComment,
} from '@/map/state/comments';
import { panRectIntoView } from '@/map/state/framing';
import { openWorkspacePath } from '@/map/state/location';
import { setSelection, useView } from '@/map/state/view';
import { navigate } from '@/routing/location';
import styles from '@/screens/comments/Comments.module.css';
import { NewThreadForm } from '@/screens/comments/NewThreadForm';
import { ThreadList } from '@/screens/comments/ThreadList';
import { ThreadView } from '@/screens/comments/ThreadView';
import { ANCHOR_NAMES, KINDS } from '@/screens/comments/texts';
import { Button, IconButton } from '@/ui/Button';
import { Select } from '@/ui/Select';
import { useWorkspace } from '@/workspace/store';
import inspector from '../inspector/Inspector.module.css';

export function CommentsPanel() {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const { threadId, anchor, isWriting } = useComments();
  const { data: overview } = useCommentOverview(workspaceId);
  const canComment = overview?.canComment ?? false;
  const isNested = threadId !== null || anchor !== null || isWriting;
  return (
    <aside
      id={COMMENTS_ID}
      className={inspector.inspector}
      aria-label="Comments"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        if (isNested) showComments();
        else hideComments();
      }}
    >
      <header className={styles.head}>
        {isNested && (
          <IconButton
            label="All comments"
            icon={<ArrowLeft size={18} aria-hidden />}
            onClick={() => showComments()}
          />
        )}
        <h2>{isWriting ? 'New comment' : 'Comments'}</h2>
        <IconButton label="Hide comments" icon={<X size={18} aria-hidden />} onClick={hideComments} />
      </header>
      <div className={styles.body}>
        {threadId !== null ? (
          <>
            <ThreadAnchor workspaceId={workspaceId} threadId={threadId} />
            <ThreadView
              key={threadId}
              workspaceId={workspaceId}
              threadId={threadId}
              canComment={canComment}
              onGone={() => showComments()}
            />
          </>
        ) : (
          <>
            {anchor && <AnchorName anchor={anchor} />}
            {isWriting && anchor && canComment ? (
              <NewThreadForm
                key={JSON.stringify(anchor)}
                workspaceId={workspaceId}
                anchor={anchor}
                autoFocus
                onCreated={({ id }) => showThread(id)}
                onCancel={() => showComments()}
              />
            ) : (
              <Threads workspaceId={workspaceId} anchor={anchor} canComment={canComment} />
            )}
          </>
        )}
      </div>
    </aside>
  );
}

type State = 'open' | 'resolved' | 'detached' | 'all';

function Threads({
  workspaceId,
  anchor,
  canComment,
}: {
  workspaceId: string;
  anchor: NewAnchor | null;
  canComment: boolean;
}) {
  const { data: overview } = useCommentOverview(workspaceId);
  const marks = useComments((comments) => comments.marks);
  // The button names what is selected.
  useView((view) => view.selectedComponents);
  useView((view) => view.selectedRelationships);
  const [state, setState] = useState<State>('open');
  const [kind, setKind] = useState<NonNullable<ThreadFilter['kind']> | ''>('');
  const about = anchor ?? selectedAnchor();
  const filter: ThreadFilter = {
    ...(anchor ? { anchorType: anchor.type, ...(anchor.id ? { anchorId: anchor.id } : {}) } : {}),
    ...(state === 'open' || state === 'resolved' ? { state } : {}),
    ...(state === 'detached' ? { detached: true } : {}),
    ...(kind ? { kind } : {}),
  };
  return (
    <>
      {canComment ? (
        <Button
          kind="main"
          data-first
          icon={<MessageSquarePlus size={16} aria-hidden />}
          onClick={() => writeComment(about)}
        >
          Comment on {ANCHOR_NAMES[about.type].toLowerCase()}
        </Button>
      ) : (
        overview && (
          <p className={styles.hint}>
            Only editors can comment in this workspace. To edit, choose “View only” and request access.
          </p>
        )
      )}
      <div className={styles.filters}>
        <Select aria-label="State" value={state} onChange={(event) => setState(event.target.value as State)}>
          <option value="open">Open{overview && !anchor ? ` (${overview.open})` : ''}</option>
          <option value="resolved">Resolved{overview && !anchor ? ` (${overview.resolved})` : ''}</option>
          {!anchor && <option value="detached">Detached ({overview?.detached ?? 0})</option>}
          <option value="all">All</option>
        </Select>
        <Select
          aria-label="Kind"
          value={kind}
          onChange={(event) => setKind(event.target.value as typeof kind)}
        >
          <option value="">All kinds</option>
          {KINDS.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </div>
      <ThreadList
        workspaceId={workspaceId}
        filter={filter}
        withAnchors={anchor === null}
        onOpen={({ id }) => showThread(id, anchor)}
      />
      <label className={styles.check}>
        <input type="checkbox" checked={marks} onChange={(event) => setCommentMarks(event.target.checked)} />
        Show comments on the map
      </label>
    </>
  );
}

/** The name of what is commented on. */
function AnchorName({ anchor }: { anchor: NewAnchor }) {
  const rows = useWorkspace((state) => state.rows);
  const { type } = anchor;
  const id = anchor.id ?? '';
  const relationship = rows?.relationship.get(id);
  const nameOf = (component: string | undefined) => rows?.component.get(component ?? '')?.name ?? component;
  const names: Record<NewAnchor['type'], string | undefined> = {
    component: nameOf(id),
    relationship: relationship && `${nameOf(relationship.sourceId)} → ${nameOf(relationship.targetId)}`,
    process: rows?.process.get(id)?.name,
    view: rows?.view.get(id)?.name,
    workspace: rows?.workspace.name,
  };
  return (
    <p className={styles.about}>
      {ANCHOR_NAMES[type]}: <strong>{names[type] ?? id}</strong>
      {anchor.x !== undefined && ', at the marked point'}
    </p>
  );
}

/** What a thread is about, with a button that shows it. */
function ThreadAnchor({ workspaceId, threadId }: { workspaceId: string; threadId: string }) {
  const thread = useThread(workspaceId, threadId).data?.thread;
  if (!thread) return null;
  const { anchor, detached } = thread;
  return (
    <p className={styles.about}>
      {ANCHOR_NAMES[anchor.type]}: <strong>{anchor.name}</strong>
      {anchor.step !== undefined && ` · message ${anchor.step + 1}: ${anchor.stepText ?? ''}`}
      {detached && ' (deleted)'}{' '}
      {!detached && isShowable(anchor) && (
        <button type="button" className={inspector.textButton} onClick={() => showAnchor(anchor)}>
          Show
        </button>
      )}
    </p>
  );
}

function isShowable({ type, x }: Anchor): boolean {
  return type !== 'workspace' || x !== undefined;
}

/** Shows what a thread is about: selects it, opens its view or process, or moves the map to its point. */
function showAnchor({ type, id = '', x, y }: Anchor): void {
  const { camera } = useView.getState();
  if (type === 'component') {
    setSelection([id]);
    camera?.reveal(id);
  } else if (type === 'relationship') {
    setSelection([], [id]);
    const row = useWorkspace.getState().rows?.relationship.get(id);
    if (row) camera?.reveal(row.sourceId, row.targetId);
  } else if (type === 'process') {
    navigate(openWorkspacePath('processes', id));
  } else if (type === 'view' && !isSameAnchor(openAnchor(), { type, id })) {
    navigate(openWorkspacePath('v', id));
  } else if (x !== undefined && y !== undefined) {
    panRectIntoView({ x: x - 20, y: y - 20, width: 40, height: 40 });
  }
}

function openAnchor(): Pick<NewAnchor, 'type' | 'id'> {
  const { type, id } = selectedAnchor();
  return type === 'view' ? { type, ...(id ? { id } : {}) } : { type: 'workspace' };
}

/** Opens the thread that the URL names, as in links of assistants, and removes it from the URL. */
export function useThreadInUrl(): void {
  const search = useSearch();
  useEffect(() => {
    const query = new URLSearchParams(search);
    const threadId = query.get('thread');
    if (!threadId) return;
    query.delete('thread');
    const rest = query.toString().replaceAll('%2C', ',');
    navigate(rest ? `${currentPath()}?${rest}` : currentPath(), { replace: true });
    showThread(threadId);
  }, [search]);
}
