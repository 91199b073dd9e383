/** The editor of a process: name, text, diagram and participants. */
import { ArrowLeft, Download, Play, Trash2 } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { exportProcess } from '@/actions/export';
import { nameProblem, textProblem } from '@/core/model/validation';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { Button, IconButton } from '@/ui/Button';
import { Editor, type EditorHandle } from '@/ui/Editor';
import list from '@/ui/ListDetail.module.css';
import { sequenceLanguage } from '@/ui/sequenceLanguage';
import { showError } from '@/ui/Toasts';
import { useWorkspace } from '@/workspace/store';
import { DiagramPane } from './DiagramPane';
import { saveDraft, updateDraft } from './drafts';
import { endNew } from './newProcesses';
import { Participants } from './Participants';
import { type TextProblem, TextProblems } from './Problems';
import { ProcessComments } from './ProcessComments';
import styles from './Processes.module.css';
import { ProcessNotices } from './ProcessNotices';
import { useAutoMapping } from './useAutoMapping';
import { useParsedText, useProcessReading, useSyncedDraft } from './useProcess';
import { useDeleteProcess, useRenameNewProcess } from './useProcessActions';

export function ProcessEditor({ workspaceId, processId }: { workspaceId: string; processId: string }) {
  const draft = useSyncedDraft(workspaceId, processId);
  const slug = useOrgSlug();
  const [, navigate] = useLocation();
  const row = useWorkspace((state) => state.rows?.process.get(processId));
  const savedText = useWorkspace((state) => state.serverRows?.process.get(processId)?.mermaid);
  const editor = useRef<EditorHandle>(null);
  const remove = useDeleteProcess();
  const rename = useRenameNewProcess();
  const [firstId] = useState(processId);
  useEffect(() => () => endNew(firstId), [firstId]);
  const text = draft?.mine.mermaid ?? row?.mermaid ?? '';
  const live = useParsedText(text);
  const { mapped, onTyped, onUnmapped } = useAutoMapping(processId, live);
  const server = useProcessReading(processId);
  const components = useWorkspace((state) => state.rows?.component);

  // The server's error messages are better, but only available for text that it has received.
  const serverDiagnostics =
    server && server.mermaid === text && savedText === text ? server.diagnostics : undefined;
  const problems: readonly TextProblem[] = useMemo(() => {
    if (serverDiagnostics && serverDiagnostics.length > 0) return serverDiagnostics;
    return live.syntaxError ? [live.syntaxError] : [];
  }, [serverDiagnostics, live.syntaxError]);
  const people = live.reading?.participants ?? server?.lifelines ?? NO_PARTICIPANTS;
  const participants = draft?.mine.participants;
  const unmapped = useMemo(() => {
    const missing = people.filter(({ alias }) => !components?.has(participants?.[alias] ?? ''));
    return new Map(missing.map(({ alias }) => [alias, 'Not mapped to a component']));
  }, [people, participants, components]);
  if (!draft || !row) return null;

  const saveNow = () => saveDraft(processId);
  const map = workspacePath(slug, workspaceId);
  const play = () => {
    saveNow();
    navigate(`${map}?process=${encodeURIComponent(processId)}&step=1`);
  };
  return (
    <div className={styles.process}>
      <header className={styles.head}>
        <Link className={list.back} href={workspacePath(slug, workspaceId, 'processes')}>
          <ArrowLeft size={16} aria-hidden /> All processes
        </Link>
        <input
          className={styles.name}
          aria-label="Name"
          aria-invalid={nameProblem(draft.mine.name) !== undefined}
          value={draft.mine.name}
          onChange={(event) => updateDraft(processId, { name: event.target.value })}
          onBlur={() => rename(processId)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) event.currentTarget.blur();
          }}
        />
        <div className={styles.row}>
          <Button kind="main" icon={<Play size={16} aria-hidden />} onClick={play}>
            Play on map
          </Button>
          <ProcessComments workspaceId={workspaceId} processId={processId} />
          <IconButton
            label="Export diagram as SVG"
            icon={<Download size={18} aria-hidden />}
            onClick={() => exportProcess(draft.mine.name, text).catch(showError)}
          />
          <IconButton
            label="Delete process"
            icon={<Trash2 size={18} aria-hidden />}
            onClick={() => remove(row)}
          />
        </div>
        <textarea
          className={styles.about}
          aria-label="Description"
          aria-invalid={textProblem(draft.mine.description) !== undefined}
          placeholder="Add a description"
          rows={1}
          value={draft.mine.description}
          onChange={(event) => updateDraft(processId, { description: event.target.value })}
          onBlur={saveNow}
        />
      </header>
      <ProcessNotices workspaceId={workspaceId} processId={processId} draft={draft} />
      <div className={styles.columns}>
        <div className={styles.text}>
          <Editor
            ref={editor}
            label="Diagram text"
            value={text}
            onChange={(mermaid) => {
              onTyped(mermaid);
              updateDraft(processId, { mermaid });
            }}
            onBlur={saveNow}
            onSave={saveNow}
            marks={problems}
            language={sequenceLanguage}
          />
          <TextProblems problems={problems} onJump={(at) => editor.current?.jump(at.line, at.column)} />
        </div>
        <DiagramPane
          name={draft.mine.name}
          live={live}
          unmapped={unmapped}
          stale={live.syntaxError !== undefined}
        />
      </div>
      <Participants
        processId={processId}
        people={people}
        participants={draft.mine.participants}
        mappedByName={mapped}
        onUnmapped={onUnmapped}
      />
    </div>
  );
}

const NO_PARTICIPANTS: readonly { alias: string; name: string }[] = [];
