/** Details of a component, edited in place. */
import { ArrowDownToDot, ArrowUpFromDot, Link2, Play, Workflow } from 'lucide-react';
import { useId } from 'react';
import { Link } from 'wouter';
import { showImpact, useImpactUnavailable } from '@/actions/impact';
import type { Component } from '@/api/generated';
import { ancestorsOf } from '@/core/containment/containment';
import {
  CUSTOM_TYPE_PROPERTY,
  customTypeOf,
  customTypeValue,
  customTypeWithKey,
  typeKey,
} from '@/core/model/customTypes';
import { setLifecycle, setType } from '@/core/model/edits';
import { formatKeywords, keywordsProblem, parseKeywords } from '@/core/model/keywords';
import { typeAppearance } from '@/core/model/lens';
import type { Model } from '@/core/model/model';
import { nameProblem, textProblem } from '@/core/model/validation';
import { openWorkspacePath } from '@/map/state/location';
import { setSelection } from '@/map/state/view';
import { shareUrl } from '@/map/state/viewUrl';
import { WatchButton } from '@/screens/inbox/WatchButton';
import { Button } from '@/ui/Button';
import { TechnologyIcon } from '@/ui/TechnologyIcon';
import { showToast } from '@/ui/Toasts';
import { TypeIcon } from '@/ui/TypeIcon';
import { edit } from '@/workspace/store';
import { useAuthor } from './authors';
import { CommentsSection } from './CommentsSection';
import { ComponentDecisions } from './ComponentDecisions';
import { InlineText } from './InlineText';
import styles from './Inspector.module.css';
import { InViews } from './InViews';
import { KindFields } from './KindFields';
import { useTagSuggestions, useTechnologySuggestions } from './keywordSuggestions';
import { Links } from './Links';
import { PartOf } from './PartOf';
import { Properties } from './Properties';
import { Relationships } from './Relationships';
import { RowSources } from './RowSources';
import { Section } from './Section';
import { Stakeholders } from './Stakeholders';
import { Timestamps } from './Timestamps';
import { LifecycleSelect, TypeSelect } from './TypeSelect';

interface Props {
  model: Model;
  component: Component;
  readOnly: boolean;
}

/** Properties with dedicated fields. */
const SEPARATE_PROPERTIES = new Set(['lifecycle']);

export function ComponentDetails({ model, component, readOnly }: Props) {
  const author = useAuthor();
  const tagSuggestions = useTagSuggestions(model.rows);
  const technologySuggestions = useTechnologySuggestions(model.rows);
  const { id, name, revision, properties } = component;
  const look = typeAppearance(model, component);
  const text = (field: 'name' | 'description', label: string) => ({
    label: field === 'name' ? 'Name' : 'Description',
    id: `component/${id}/${field}`,
    value: component[field] ?? '',
    revision,
    changedBy: author(component.updatedBy),
    readOnly,
    save: (typed: string, since: string, base: number) => {
      const value = field === 'name' ? typed.trim() : typed;
      edit(label, [
        { op: 'update', kind: 'component', id, fields: { [field]: value }, before: { [field]: since }, base },
      ]);
    },
  });
  const keywords = (field: 'tags' | 'technology', label: string) => ({
    id: `component/${id}/${field}`,
    value: formatKeywords(component[field]),
    revision,
    changedBy: author(component.updatedBy),
    readOnly,
    problemOf: keywordsProblem,
    save: (typed: string, since: string, base: number) => {
      const [fields, before] = [{ [field]: parseKeywords(typed) }, { [field]: parseKeywords(since) }];
      edit(label, [{ op: 'update', kind: 'component', id, fields, before, base }]);
    },
  });
  const changeType = (key: string) => {
    const custom = customTypeWithKey(model.customTypes, key);
    const operations = setType(model, [id], custom?.typeId ?? key, custom && customTypeValue(custom));
    if (operations.length > 0) edit(`Change type of ${name}`, operations);
  };
  const own = customTypeOf(model.customTypes, component);
  const fields = own?.kind?.fields ?? [];
  const separate = new Set([...SEPARATE_PROPERTIES, ...fields.map(({ key }) => key)]);
  if (own) separate.add(CUSTOM_TYPE_PROPERTY);
  return (
    <>
      <div className={styles.head}>
        <p className={styles.eyebrow}>
          <TechnologyIcon technologies={look.logo ? [look.logo] : []} size={16}>
            <TypeIcon icon={look.icon} color={look.color} />
          </TechnologyIcon>{' '}
          {look.name}
        </p>
        <InlineText {...text('name', `Rename ${name}`)} problemOf={nameProblem} look="title" hideLabel />
        <Containers model={model} id={id} />
      </div>
      <div className={styles.body}>
        <InlineText
          {...text('description', `Edit description of ${name}`)}
          problemOf={textProblem}
          placeholder="What does it do?"
          long
        />
        <div className={styles.pair}>
          <Labeled label="Type">
            <TypeSelect
              label="Type"
              model={model}
              value={typeKey(model.customTypes, component)}
              onChange={changeType}
              disabled={readOnly}
            />
          </Labeled>
          <Labeled label="Lifecycle">
            <LifecycleSelect
              label="Lifecycle"
              model={model}
              value={String(properties.lifecycle ?? '')}
              none="–"
              disabled={readOnly}
              onChange={(to) => edit(`Change lifecycle of ${name}`, setLifecycle(model.rows, [id], to))}
            />
          </Labeled>
        </div>
        {!readOnly && <PartOf model={model} ids={[id]} label="Part of" />}
        <InlineText
          {...keywords('technology', `Change technology of ${name}`)}
          label="Technology"
          placeholder="For example, PostgreSQL, Valkey"
          suggestions={technologySuggestions}
        />
        <InlineText
          {...keywords('tags', `Change tags of ${name}`)}
          label="Tags"
          placeholder="For example, frontend, pci"
          suggestions={tagSuggestions}
        />
        <KindFields component={component} fields={fields} readOnly={readOnly} />
        <Stakeholders model={model} component={component} readOnly={readOnly} />
        <Relationships model={model} component={component} readOnly={readOnly} />
        <ImpactButtons id={id} />
        <ComponentProcesses model={model} id={id} />
        <ComponentDecisions model={model} id={id} />
        <InViews model={model} component={component} readOnly={readOnly} />
        <Links componentId={id} readOnly={readOnly} />
        <CommentsSection anchor={{ type: 'component', id }} />
        <Properties kind="component" row={component} name={name} except={separate} readOnly={readOnly} />
        <RowSources kind="component" id={id} />
        <Timestamps row={component} id={id} />
        <div className={styles.buttons}>
          <Button icon={<Link2 size={16} aria-hidden />} onClick={() => void copyLink('component', id)}>
            Copy link
          </Button>
          <WatchButton target={{ type: 'component', workspaceId: model.rows.workspace.id, id }} />
        </div>
      </div>
    </>
  );
}

/** The impact actions. For past states, explains why they are unavailable. */
function ImpactButtons({ id }: { id: string }) {
  const refusal = useImpactUnavailable();
  const note = useId();
  const common = {
    disabled: refusal !== null,
    title: refusal ?? undefined,
    'aria-describedby': refusal ? note : undefined,
  };
  return (
    <div className={styles.impactButtons}>
      <Button
        {...common}
        icon={<ArrowDownToDot size={16} aria-hidden />}
        onClick={() => showImpact(id, 'dependents')}
      >
        What depends on this?
      </Button>
      <Button
        {...common}
        icon={<ArrowUpFromDot size={16} aria-hidden />}
        onClick={() => showImpact(id, 'dependencies')}
      >
        What does this depend on?
      </Button>
      {refusal && (
        <p id={note} className={styles.unavailable}>
          {refusal}
        </p>
      )}
    </div>
  );
}

/** Copies the link of a row. */
export async function copyLink(kind: 'component' | 'relationship' | 'note', id: string): Promise<void> {
  const link = shareUrl(kind, id);
  try {
    await navigator.clipboard.writeText(link);
    showToast('Link copied');
  } catch {
    showToast(`Could not copy. Link: ${link}`);
  }
}

export function Labeled({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className={styles.labeled}>
      <span className={styles.label} aria-hidden>
        {label}
      </span>
      {children}
    </div>
  );
}

/** The groups that contain the component, outermost first. */
function Containers({ model, id }: { model: Model; id: string }) {
  const containers = ancestorsOf(model.containment, id).reverse();
  if (containers.length === 0) return null;
  return (
    <p className={styles.containers}>
      Part of{' '}
      {containers.map((container, place) => (
        <span key={container}>
          {place > 0 && ' › '}
          <button type="button" className={styles.textButton} onClick={() => setSelection([container])}>
            {model.rows.component.get(container)?.name ?? container}
          </button>
        </span>
      ))}
    </p>
  );
}

/** The processes that the component takes part in. */
function ComponentProcesses({ model, id }: { model: Model; id: string }) {
  const processes = model.processes.get(id) ?? [];
  if (processes.length === 0) return null;
  return (
    <Section title="Processes" count={processes.length}>
      <ul className={styles.list}>
        {processes.map((process) => (
          <li key={process.id} className={styles.row}>
            <Workflow size={16} aria-hidden className={styles.rowIcon} />
            <Link href={openWorkspacePath('processes', process.id)} className={styles.rowMain}>
              {process.name}
            </Link>
            <Link
              href={`${openWorkspacePath()}?process=${encodeURIComponent(process.id)}`}
              className={styles.iconLink}
              aria-label={`Play ${process.name} on map`}
              title="Play on map"
            >
              <Play size={16} aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
