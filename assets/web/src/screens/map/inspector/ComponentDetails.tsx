/** Details of a component, edited in place. */
import { ArrowDownToDot, ArrowUpFromDot, Link2, Play, Workflow } from 'lucide-react';
import { useId } from 'react';
import { Link } from 'wouter';
import { askAbout, useRefusalToAsk } from '@/actions/impact';
import { linkTo, planPath } from '@/actions/place';
import type { Component } from '@/api/generated';
import { customKey, customTypeOf, KIND, typeKey } from '@/core/model/customTypes';
import { enliven, retype } from '@/core/model/edits';
import { typeLook } from '@/core/model/lens';
import { type Model, wholesOf } from '@/core/model/model';
import { problemOfName, problemOfText } from '@/core/model/valid';
import { edit } from '@/plan/store';
import { Button } from '@/ui/Button';
import { say } from '@/ui/Toasts';
import { TypeIcon } from '@/ui/TypeIcon';
import { select } from '../view';
import { useAuthor } from './authors';
import { InlineText } from './InlineText';
import styles from './Inspector.module.css';
import { Links } from './Links';
import { Properties } from './Properties';
import { Relationships } from './Relationships';
import { Section } from './Section';
import { Stakeholders } from './Stakeholders';
import { Stamps } from './Stamps';
import { LifecycleSelect, TypeSelect } from './TypeSelect';

interface Props {
  model: Model;
  component: Component;
  readOnly: boolean;
}

/** Properties with a field of their own. */
const ELSEWHERE = new Set(['lifecycle']);

export function ComponentDetails({ model, component, readOnly }: Props) {
  const author = useAuthor();
  const { id, name, revision, properties } = component;
  const look = typeLook(model, component);
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
  const setType = (key: string) => {
    const custom = model.customTypes.find((type) => customKey(type) === key);
    const operations = retype(model, [id], custom?.typeId ?? key, custom?.name);
    if (operations.length > 0) edit(`Change type of ${name}`, operations);
  };
  const isCustom = customTypeOf(model.customTypes, component) !== undefined;
  return (
    <>
      <div className={styles.head}>
        <p className={styles.eyebrow}>
          <TypeIcon icon={look.icon} color={look.color} /> {look.name}
        </p>
        <InlineText {...text('name', `Rename ${name}`)} problemOf={problemOfName} look="title" hideLabel />
        <Wholes model={model} id={id} />
      </div>
      <div className={styles.body}>
        <InlineText
          {...text('description', `Edit description of ${name}`)}
          problemOf={problemOfText}
          placeholder="What does it do?"
          long
        />
        <div className={styles.pair}>
          <Labelled label="Type">
            <TypeSelect
              label="Type"
              model={model}
              value={typeKey(model.customTypes, component)}
              onChange={setType}
              disabled={readOnly}
            />
          </Labelled>
          <Labelled label="Lifecycle">
            <LifecycleSelect
              label="Lifecycle"
              model={model}
              value={String(properties.lifecycle ?? '')}
              none="–"
              disabled={readOnly}
              onChange={(to) => edit(`Change lifecycle of ${name}`, enliven(model.rows, [id], to))}
            />
          </Labelled>
        </div>
        <Stakeholders model={model} component={component} readOnly={readOnly} />
        <Relationships model={model} component={component} readOnly={readOnly} />
        <Asks id={id} />
        <Taking model={model} id={id} />
        <Links componentId={id} readOnly={readOnly} />
        <Properties
          kind="component"
          row={component}
          name={name}
          except={isCustom ? new Set([...ELSEWHERE, KIND]) : ELSEWHERE}
          readOnly={readOnly}
        />
        <Stamps row={component} id={id} />
        <div>
          <Button icon={<Link2 size={16} aria-hidden />} onClick={() => void copyLink('component', id)}>
            Copy link
          </Button>
        </div>
      </div>
    </>
  );
}

/** The impact actions; for a past state, why they are unavailable. */
function Asks({ id }: { id: string }) {
  const refusal = useRefusalToAsk();
  const note = useId();
  const common = {
    disabled: refusal !== null,
    title: refusal ?? undefined,
    'aria-describedby': refusal ? note : undefined,
  };
  return (
    <div className={styles.asks}>
      <Button
        {...common}
        icon={<ArrowDownToDot size={16} aria-hidden />}
        onClick={() => askAbout(id, 'dependents')}
      >
        What depends on this?
      </Button>
      <Button
        {...common}
        icon={<ArrowUpFromDot size={16} aria-hidden />}
        onClick={() => askAbout(id, 'dependencies')}
      >
        What does this depend on?
      </Button>
      {refusal && (
        <p id={note} className={styles.refusal}>
          {refusal}
        </p>
      )}
    </div>
  );
}

/** Copies the link of a row. */
export async function copyLink(kind: 'component' | 'relationship', id: string): Promise<void> {
  const link = linkTo(kind, id);
  try {
    await navigator.clipboard.writeText(link);
    say('Link copied');
  } catch {
    say(`Could not copy. Link: ${link}`);
  }
}

export function Labelled({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className={styles.labelled}>
      <span className={styles.label} aria-hidden>
        {label}
      </span>
      {children}
    </div>
  );
}

/** The groups that contain the component, outermost first. */
function Wholes({ model, id }: { model: Model; id: string }) {
  const wholes = wholesOf(model, id).reverse();
  if (wholes.length === 0) return null;
  return (
    <p className={styles.wholes}>
      Part of{' '}
      {wholes.map((whole, place) => (
        <span key={whole}>
          {place > 0 && ' › '}
          <button type="button" className={styles.textButton} onClick={() => select([whole])}>
            {model.rows.component.get(whole)?.name ?? whole}
          </button>
        </span>
      ))}
    </p>
  );
}

/** The processes that the component takes part in. */
function Taking({ model, id }: { model: Model; id: string }) {
  const processes = model.processes.get(id) ?? [];
  if (processes.length === 0) return null;
  return (
    <Section title="Processes" count={processes.length}>
      <ul className={styles.list}>
        {processes.map((process) => (
          <li key={process.id} className={styles.row}>
            <Workflow size={16} aria-hidden className={styles.rowIcon} />
            <Link href={planPath('processes', process.id)} className={styles.rowMain}>
              {process.name}
            </Link>
            <Link
              href={`${planPath()}?process=${encodeURIComponent(process.id)}`}
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
