/** All decisions of the workspace, with search, a filter by status, and buttons to create and import them. */
import { Plus, Upload } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { DecisionStatus } from '@/api/generated';
import { filterDecisions, STATUS_NAMES, STATUSES } from '@/core/decisions/decisions';
import { truncate } from '@/core/text';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { Button, IconButton } from '@/ui/Button';
import list from '@/ui/ListDetail.module.css';
import { SearchField } from '@/ui/SearchField';
import { Select } from '@/ui/Select';
import { useHasKeptInput } from '@/workspace/keptInput';
import { useCanEdit } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { decisionInputId } from './DecisionForm';
import styles from './Decisions.module.css';
import { StatusBadge } from './StatusBadge';

interface Props {
  current: string;
  onNew: () => void;
  /** Opens the form with the kept input of a new decision. */
  onResume: () => void;
  onImport: () => void;
  onOpen: () => void;
}

export function DecisionList({ current, onNew, onResume, onImport, onOpen }: Props) {
  const slug = useOrgSlug();
  const canEdit = useCanEdit();
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const decisions = useWorkspace((state) => state.rows?.decision);
  const isKept = useHasKeptInput(decisionInputId());
  const [query, setQuery] = useState('');
  const [status, setStatus] = useState<DecisionStatus | ''>('');
  const shown = useMemo(
    () => filterDecisions(decisions?.values() ?? [], { query, status }),
    [decisions, query, status],
  );
  return (
    <nav className={list.list} aria-label="Decisions">
      <div className={list.find}>
        <SearchField
          label="Search decisions"
          placeholder="Search"
          value={query}
          onChange={setQuery}
          className={list.search}
        />
        {canEdit && (
          <>
            <IconButton label="Import decisions" icon={<Upload size={18} aria-hidden />} onClick={onImport} />
            <Button aria-label="New decision" icon={<Plus size={18} aria-hidden />} onClick={onNew}>
              New
            </Button>
          </>
        )}
        <Select
          aria-label="Status"
          value={status}
          className={styles.filter}
          onChange={(event) => setStatus(event.target.value as DecisionStatus | '')}
        >
          <option value="">All statuses</option>
          {STATUSES.map((one) => (
            <option key={one} value={one}>
              {STATUS_NAMES[one]}
            </option>
          ))}
        </Select>
      </div>
      <ul>
        {canEdit && isKept && (
          <li>
            <Link
              href={workspacePath(slug, workspaceId, 'decisions')}
              className={list.item}
              aria-current={current === '' ? 'page' : undefined}
              onClick={onResume}
            >
              <span className={list.itemName}>New decision</span>
              <span className={styles.facts}>
                <span className={styles.unsaved}>Not saved yet</span>
              </span>
            </Link>
          </li>
        )}
        {shown.map((row) => (
          <li key={row.id}>
            <Link
              href={workspacePath(slug, workspaceId, 'decisions', row.id)}
              className={list.item}
              aria-current={row.id === current ? 'page' : undefined}
              onClick={onOpen}
            >
              <span className={list.itemName}>{row.title}</span>
              <span className={styles.facts}>
                <span>ADR {row.number}</span>
                <StatusBadge status={row.status} />
                <span>{row.date}</span>
                {canEdit && <Unsaved id={row.id} />}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {(query || status) && shown.length === 0 && (
        <p>
          No decisions match{' '}
          {query ? `“${truncate(query, 60)}”` : `the status ${STATUS_NAMES[status || 'proposed']}`}.
        </p>
      )}
    </nav>
  );
}

/** Marks a decision with input that is not saved. */
function Unsaved({ id }: { id: string }) {
  return useHasKeptInput(decisionInputId(id)) && <span className={styles.unsaved}>Not saved yet</span>;
}
