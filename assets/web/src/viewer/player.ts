/** Steps through the messages of a process. */
import { element, iconButton, relabel } from './elements';
import type { Process, Step } from './source';

/** Time per message in milliseconds. */
const INTERVAL = 2_200;

export class Player {
  readonly root = element('div', { class: 'player', role: 'group', 'aria-label': 'Steps of the process' });
  #process: Process = { name: '', steps: [] };
  /** The current message; -1 before the first. */
  #at = -1;
  #timer: ReturnType<typeof setInterval> | undefined;
  #show: (step: Step | undefined, number: string) => void;
  #previous = iconButton('previous', 'Previous step', () => this.go(this.#at - 1));
  #play = iconButton('play', 'Play', () => (this.#timer ? this.pause() : this.play()));
  #next = iconButton('next', 'Next step', () => this.go(this.#at + 1));
  #position = element('span', { class: 'position' });
  #text = element('p', { class: 'step', role: 'status' });

  constructor(show: (step: Step | undefined, number: string) => void) {
    this.#show = show;
    this.root.append(
      element('div', { class: 'transport' }, this.#previous, this.#play, this.#next, this.#position),
      this.#text,
    );
    this.root.hidden = true;
  }

  /** Plays this process, or none. */
  load(process: Process | undefined): void {
    this.pause();
    this.#process = process ?? { name: '', steps: [] };
    this.root.hidden = this.#process.steps.length === 0;
    this.#at = -1;
    this.#update();
  }

  /** Shows the current message again, after the drawing changed. */
  redraw(): void {
    if (!this.root.hidden) this.#show(this.#step, String(this.#at + 1));
  }

  go(at: number): void {
    this.pause();
    this.#goTo(at);
  }

  play(): void {
    if (this.#at >= this.#process.steps.length - 1) this.#at = -1;
    this.#goTo(this.#at + 1);
    this.#timer = setInterval(() => {
      this.#goTo(this.#at + 1);
      if (this.#at >= this.#process.steps.length - 1) this.pause();
    }, INTERVAL);
    relabel(this.#play, 'pause', 'Pause');
  }

  pause(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    relabel(this.#play, 'play', 'Play');
  }

  get #step(): Step | undefined {
    return this.#process.steps[this.#at];
  }

  #goTo(at: number): void {
    this.#at = Math.min(Math.max(at, -1), this.#process.steps.length - 1);
    this.#update();
    this.#show(this.#step, String(this.#at + 1));
  }

  #update(): void {
    const count = this.#process.steps.length;
    const step = this.#step;
    this.#previous.disabled = this.#at < 0;
    this.#next.disabled = this.#at >= count - 1;
    this.#position.textContent = `${this.#at + 1} / ${count}`;
    this.#text.replaceChildren(
      ...(step
        ? [
            element('span', { class: 'ends' }, `${step.fromName} → ${step.toName}`),
            element('span', { class: 'text' }, step.text),
          ]
        : [
            element(
              'span',
              { class: 'text' },
              `${count} ${count === 1 ? 'step' : 'steps'}. Press play or next.`,
            ),
          ]),
    );
  }
}
