/** All processes of the workspace, with search, a button to create one, and the number of unmapped participants. */

import { TriangleAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { truncate } from '@/core/text';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import list from '@/ui/ListDetail.module.css';
import { SearchField } from '@/ui/SearchField';
import { useWorkspace } from '@/workspace/store';
import { NewProcess } from './NewProcess';
import styles from './Processes.module.css';
import { useUnmappedParticipants } from './useUnmappedParticipants';

export function ProcessList({ current }: { current: string }) {
  const slug = useOrgSlug();
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const processes = useWorkspace((state) => state.rows?.process);
  const [query, setQuery] = useState('');
  const unmapped = useUnmappedParticipants();
  const shown = useMemo(() => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const all = [...(processes?.values() ?? [])];
    return all.filter(({ id, name, description = '', mermaid }) => {
      const text = `${id} ${name} ${description} ${mermaid}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }, [processes, query]);
  return (
    <nav className={list.list} aria-label="Processes">
      <div className={list.find}>
        <SearchField
          label="Search processes"
          placeholder="Search"
          value={query}
          onChange={setQuery}
          className={list.search}
        />
        <NewProcess text="New" />
      </div>
      <ul>
        {shown.map(({ id, name }) => {
          const missing = unmapped.get(id) ?? 0;
          return (
            <li key={id}>
              <Link
                href={workspacePath(slug, workspaceId, 'processes', id)}
                className={list.item}
                aria-current={id === current ? 'page' : undefined}
              >
                <span className={list.itemName}>{name}</span>
                {missing > 0 && (
                  <span className={styles.missing}>
                    <TriangleAlert size={14} aria-hidden />
                    {missing} not mapped
                  </span>
                )}
              </Link>
            </li>
          );
        })}
      </ul>
      {query && shown.length === 0 && <p>No processes match “{truncate(query, 60)}”.</p>}
    </nav>
  );
}
