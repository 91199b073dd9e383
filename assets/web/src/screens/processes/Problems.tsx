/** Errors in the text, each linked to its position. */
import { CircleAlert } from 'lucide-react';
import styles from './Processes.module.css';

export interface TextProblem {
  line: number;
  column: number;
  message: string;
}

export function TextProblems({
  problems,
  onJump,
}: {
  problems: readonly TextProblem[];
  onJump: (to: TextProblem) => void;
}) {
  return (
    <div className={styles.problems} role="status" aria-label="Problems in the text">
      {problems.map((problem, place) => (
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: a focused error keeps the focus when its text changes
          key={place}
          type="button"
          className={styles.problem}
          onClick={() => onJump(problem)}
        >
          <CircleAlert size={16} aria-hidden />
          <strong>Line {problem.line}</strong>
          <span>{problem.message}</span>
        </button>
      ))}
    </div>
  );
}
