/** The text of a decision: Markdown as elements, with links to components. */
import { Link } from 'wouter';
import { splitMentions } from '@/core/comments/mentions';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { NoteText } from '@/ui/NoteText';
import { useDocumentBlocks } from '@/ui/noteBlocks';
import { useWorkspace } from '@/workspace/store';
import styles from './Decisions.module.css';

export function DecisionText({ text }: { text: string }) {
  const blocks = useDocumentBlocks(text);
  const slug = useOrgSlug();
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const components = useWorkspace((state) => state.rows?.component);
  const renderText = (plain: string) =>
    splitMentions(
      plain,
      () => false,
      (id) => components?.has(id) ?? false,
    ).map(({ text: part, componentId }, at) =>
      componentId ? (
        <Link
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity
          key={at}
          href={`${workspacePath(slug, workspaceId)}?${new URLSearchParams({ c: componentId })}`}
          title={components?.get(componentId)?.name}
        >
          {part}
        </Link>
      ) : (
        part
      ),
    );
  return (
    <div className={styles.text}>
      <NoteText blocks={blocks} outline={3} renderText={renderText} />
    </div>
  );
}
