/** A decision: its facts and text, or the form to edit it. */
import { ArrowLeft, Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { errorText } from '@/api/errors';
import type { DecisionStatus } from '@/api/generated';
import { STATUS_NAMES, STATUSES, supersededBy } from '@/core/decisions/decisions';
import type { DecisionRow } from '@/core/sync/rows';
import { useDecisionBody } from '@/data/decisions';
import { deleteDecision, setDecisionStatus } from '@/map/edits/decisions';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { Button, IconButton } from '@/ui/Button';
import list from '@/ui/ListDetail.module.css';
import { Loading } from '@/ui/Loading';
import { Select } from '@/ui/Select';
import { useFocusAgain } from '@/ui/useFocusAgain';
import { hasKeptInput } from '@/workspace/keptInput';
import { useCanEdit } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { DecisionForm, decisionInputId } from './DecisionForm';
import styles from './Decisions.module.css';
import { DecisionText } from './DecisionText';
import { StatusBadge } from './StatusBadge';

interface Props {
  workspaceId: string;
  row: DecisionRow;
}

export function DecisionPage({ workspaceId, row }: Props) {
  const [isEditing, setEditing] = useState(() => hasKeptInput(decisionInputId(row.id)));
  const editButton = useFocusAgain(isEditing);
  const canEdit = useCanEdit();
  const isPast = useWorkspace((state) => state.past !== null);
  const { body, error } = useDecisionBody(workspaceId, row);
  const slug = useOrgSlug();
  const [, navigate] = useLocation();
  const all = workspacePath(slug, workspaceId, 'decisions');
  if (isEditing && canEdit && body !== undefined) {
    return <DecisionForm open={{ row, body }} onClose={() => setEditing(false)} />;
  }
  return (
    <article className={styles.decision}>
      <header className={styles.head}>
        <Link className={list.back} href={all}>
          <ArrowLeft size={16} aria-hidden /> All decisions
        </Link>
        <p className={styles.number}>ADR {row.number}</p>
        <h2 className={styles.title}>{row.title}</h2>
        {canEdit && (
          <div className={styles.row}>
            <Button
              icon={<Pencil size={16} aria-hidden />}
              disabled={body === undefined}
              ref={editButton}
              onClick={() => setEditing(true)}
            >
              Edit
            </Button>
            <IconButton
              label="Delete decision"
              icon={<Trash2 size={18} aria-hidden />}
              onClick={() => {
                deleteDecision(row);
                navigate(all);
              }}
            />
          </div>
        )}
      </header>
      <Facts row={row} canEdit={canEdit} />
      {isPast ? (
        <p className={styles.hint}>The text of a past version is in the history.</p>
      ) : body !== undefined ? (
        body ? (
          <DecisionText text={body} />
        ) : (
          <p className={styles.hint}>No text yet.</p>
        )
      ) : error ? (
        <p role="status">{errorText(error)}</p>
      ) : (
        <Loading what="the decision" />
      )}
    </article>
  );
}

function Facts({ row, canEdit }: { row: DecisionRow; canEdit: boolean }) {
  const decisions = useWorkspace((state) => state.rows?.decision);
  const components = useWorkspace((state) => state.rows?.component);
  const slug = useOrgSlug();
  const { workspaceId } = row;
  const decisionLink = ({ id, number, title }: DecisionRow) => (
    <Link key={id} href={workspacePath(slug, workspaceId, 'decisions', id)}>
      ADR {number}: {title}
    </Link>
  );
  const replaced = row.supersedes.flatMap((id) => decisions?.get(id) ?? []);
  const replacing = supersededBy(decisions?.values() ?? [], row.id);
  const concerned = row.componentIds.flatMap((id) => components?.get(id) ?? []);
  return (
    <dl className={styles.table}>
      <Fact name="Status">
        {canEdit ? (
          <Select
            aria-label="Status of this decision"
            value={row.status}
            onChange={(event) => setDecisionStatus(row, event.target.value as DecisionStatus)}
          >
            {STATUSES.map((one) => (
              <option key={one} value={one}>
                {STATUS_NAMES[one]}
              </option>
            ))}
          </Select>
        ) : (
          <StatusBadge status={row.status} />
        )}
      </Fact>
      <Fact name="Date">
        <time dateTime={row.date}>{row.date}</time>
      </Fact>
      {row.authors.length > 0 && <Fact name="Decided by">{row.authors.join(', ')}</Fact>}
      {concerned.length > 0 && (
        <Fact name="Components">
          {concerned.map(({ id, name }) => (
            <Link key={id} href={`${workspacePath(slug, workspaceId)}?${new URLSearchParams({ c: id })}`}>
              {name}
            </Link>
          ))}
        </Fact>
      )}
      {replaced.length > 0 && <Fact name="Supersedes">{replaced.map(decisionLink)}</Fact>}
      {replacing.length > 0 && <Fact name="Superseded by">{replacing.map(decisionLink)}</Fact>}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
