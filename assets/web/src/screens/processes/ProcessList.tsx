/** All processes of the workspace, with search, creation, and the number of unmapped participants. */

import { Plus, TriangleAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { truncate } from '@/core/text';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { Button } from '@/ui/Button';
import { SearchField } from '@/ui/SearchField';
import { useWorkspace } from '@/workspace/store';
import styles from './Processes.module.css';
import { useCreateProcess } from './useProcessActions';
import { useUnmappedParticipants } from './useUnmappedParticipants';

export function ProcessList({ current }: { current: string }) {
  const slug = useOrgSlug();
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const processes = useWorkspace((state) => state.rows?.process);
  const [wanted, setWanted] = useState('');
  const create = useCreateProcess();
  const unmapped = useUnmappedParticipants();
  const shown = useMemo(() => {
    const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
    const all = [...(processes?.values() ?? [])];
    return all.filter(({ id, name, description = '', mermaid }) => {
      const text = `${id} ${name} ${description} ${mermaid}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }, [processes, wanted]);
  return (
    <nav className={styles.list} aria-label="Processes">
      <div className={styles.find}>
        <SearchField
          label="Search processes"
          placeholder="Search"
          value={wanted}
          onChange={setWanted}
          className={styles.search}
        />
        <Button
          aria-label="New process"
          icon={<Plus size={18} aria-hidden />}
          onClick={() => create('New process')}
        >
          New
        </Button>
      </div>
      <ul>
        {shown.map(({ id, name }) => {
          const missing = unmapped.get(id) ?? 0;
          return (
            <li key={id}>
              <Link
                href={workspacePath(slug, workspaceId, 'processes', id)}
                className={styles.item}
                aria-current={id === current ? 'page' : undefined}
              >
                <span className={styles.itemName}>{name}</span>
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
      {wanted && shown.length === 0 && (
        <p className={styles.hint}>No processes match “{truncate(wanted, 60)}”.</p>
      )}
    </nav>
  );
}
