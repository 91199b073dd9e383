/** Details of a relationship: type, label, properties and ends. */
import { ArrowLeftRight, Link2, Trash2 } from 'lucide-react';
import { LINE_COMMANDS } from '@/actions/line';
import type { Relationship } from '@/api/generated';
import { CONTAINS } from '@/core/containment/containment';
import { reverseRelationship } from '@/core/layout/lineEdits';
import { formatKeywords, keywordsProblem, parseKeywords } from '@/core/model/keywords';
import { catalogueEntry, type Model } from '@/core/model/model';
import { relationshipProblem } from '@/core/model/relationships';
import { textProblem } from '@/core/model/validation';
import { isLineCommandEnabled, runLineCommand } from '@/map/edits/lineLayout';
import { useLineStyle } from '@/map/state/lineStyle';
import { showComponent } from '@/map/state/location';
import { Button } from '@/ui/Button';
import { showToast } from '@/ui/Toasts';
import { edit } from '@/workspace/store';
import { useAuthor } from './authors';
import { CommentsSection } from './CommentsSection';
import { copyLink, Labeled } from './ComponentDetails';
import facts from './Facts.module.css';
import { InlineText } from './InlineText';
import styles from './Inspector.module.css';
import { useTechnologySuggestions } from './keywordSuggestions';
import { Properties } from './Properties';
import {
  labelRelationship,
  relationshipTitle,
  removeRelationship,
  retypeRelationship,
} from './Relationships';
import { RowSources } from './RowSources';
import { Timestamps } from './Timestamps';
import { RelationSelect } from './TypeSelect';

export function RelationshipDetails({
  model,
  row,
  readOnly,
}: {
  model: Model;
  row: Relationship;
  readOnly: boolean;
}) {
  const author = useAuthor();
  const technologySuggestions = useTechnologySuggestions(model.rows);
  const title = relationshipTitle(model, row);
  const { id, sourceId, targetId } = row;
  const reverse = () => {
    const ends = { sourceId: targetId, targetId: sourceId };
    const why = relationshipProblem(model, { ...ends, typeId: row.typeId }, id);
    if (why) return showToast(why);
    edit(`Reverse ${title}`, reverseRelationship(model.rows, row));
  };
  return (
    <>
      <div className={styles.head}>
        <p className={styles.eyebrow}>Relationship</p>
        <h2 className={styles.title}>{title}</h2>
      </div>
      <div className={styles.body}>
        <dl className={facts.ends}>
          <End term="From" id={sourceId} model={model} />
          <End term="To" id={targetId} model={model} />
        </dl>
        <Labeled label="Type">
          {readOnly ? (
            <p>{catalogueEntry(model.catalogue.relationTypes, row.typeId).name}</p>
          ) : (
            <RelationSelect
              label="Type"
              model={model}
              value={row.typeId}
              onChange={(typeId) => retypeRelationship(model, row, typeId)}
            />
          )}
        </Labeled>
        <InlineText
          label="Label"
          id={`relationship/${id}/label`}
          value={row.label ?? ''}
          revision={row.revision}
          changedBy={author(row.updatedBy)}
          problemOf={textProblem}
          placeholder="For example, order events (Kafka)"
          readOnly={readOnly}
          save={(label, before, base) => labelRelationship(model, row, label, before, base)}
        />
        <InlineText
          label="Technology"
          id={`relationship/${id}/technology`}
          value={formatKeywords(row.technology)}
          revision={row.revision}
          changedBy={author(row.updatedBy)}
          problemOf={keywordsProblem}
          placeholder="For example, HTTPS, gRPC"
          suggestions={technologySuggestions}
          readOnly={readOnly}
          save={(typed, since, base) => {
            const fields = { technology: parseKeywords(typed) };
            const before = { technology: parseKeywords(since) };
            edit(`Change technology of ${title}`, [
              { op: 'update', kind: 'relationship', id, fields, before, base },
            ]);
          }}
        />
        {!readOnly && row.typeId !== CONTAINS && <LineButtons id={id} />}
        <CommentsSection anchor={{ type: 'relationship', id }} />
        <Properties kind="relationship" row={row} name={title} readOnly={readOnly} />
        <RowSources kind="relationship" id={id} />
        <Timestamps row={row} id={id} />
        <div className={styles.buttons}>
          <Button icon={<Link2 size={16} aria-hidden />} onClick={() => void copyLink('relationship', id)}>
            Copy link
          </Button>
          {!readOnly && (
            <>
              <Button icon={<ArrowLeftRight size={16} aria-hidden />} onClick={reverse}>
                Reverse
              </Button>
              <Button
                kind="danger"
                icon={<Trash2 size={16} aria-hidden />}
                onClick={() => removeRelationship(model, row)}
              >
                Delete
              </Button>
            </>
          )}
        </div>
      </div>
    </>
  );
}

/** Changes the layout of the line on the map. */
function LineButtons({ id }: { id: string }) {
  // The setting of the viewer determines which commands are enabled.
  useLineStyle();
  return (
    <Labeled label="Line">
      <div className={styles.buttons}>
        {LINE_COMMANDS.map(({ command, title, icon: Icon }) => (
          <Button
            key={command}
            icon={<Icon size={16} aria-hidden />}
            disabled={!isLineCommandEnabled(command, [id])}
            onClick={() => runLineCommand(command, [id])}
          >
            {title}
          </Button>
        ))}
      </div>
    </Labeled>
  );
}

function End({ term, id, model }: { term: string; id: string; model: Model }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>
        <button type="button" className={styles.textButton} onClick={() => showComponent(id)}>
          {model.rows.component.get(id)?.name ?? id}
        </button>
      </dd>
    </div>
  );
}
