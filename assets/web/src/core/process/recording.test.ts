import { describe, expect, it } from 'vitest';
import {
  addReply,
  callerOf,
  MAX_RECORDED_STEPS,
  NO_RECORDING,
  parseRecording,
  pickComponent,
  type Recording,
  startElsewhere,
  undoStep,
  updateStep,
} from './recording';

const picked = (...ids: string[]) => ids.reduce(pickComponent, NO_RECORDING);
const ends = ({ steps }: Recording) =>
  steps.map(({ source, target, isReply }) => `${source}${isReply ? '-->' : '->'}${target}`);

describe('recording', () => {
  it('adds a step from the previous component to each picked one, or to itself', () => {
    expect(ends(picked('web'))).toEqual([]);
    expect(ends(picked('web', 'api', 'api', 'db'))).toEqual(['web->api', 'api->api', 'api->db']);
  });

  it('replies to the caller, level by level', () => {
    let recording = picked('web', 'api', 'api', 'db');
    for (let reply = 0; reply < 4; reply++) recording = addReply(recording);
    expect(ends(recording).slice(3)).toEqual(['db-->api', 'api-->web']);
    expect(callerOf(recording)).toBeNull();
    expect(ends(pickComponent(recording, 'mail'))).toContain('web->mail');
  });

  it('replies to the caller of an outer call, which ends the inner calls', () => {
    const recording = addReply(startFrom(picked('web', 'api', 'db'), 'api'));
    expect(ends(recording).at(-1)).toBe('api-->web');
    expect(callerOf(startFrom(recording, 'db'))).toBeNull();
  });

  it('starts the next step from another component', () => {
    expect(ends(pickComponent(startFrom(picked('web', 'api'), 'job'), 'db'))).toEqual([
      'web->api',
      'job->db',
    ]);
  });

  it('undoes each click in reverse order', () => {
    let recording = startFrom(picked('web', 'api'), 'job');
    const seen: unknown[] = [];
    while (recording !== NO_RECORDING) {
      seen.push([ends(recording), recording.from]);
      recording = undoStep(recording);
    }
    expect(seen).toEqual([
      [['web->api'], 'job'],
      [['web->api'], 'api'],
      [[], 'web'],
    ]);
  });

  it('changes the text and the direction of a step', () => {
    const recording = updateStep(updateStep(picked('web', 'api'), 0, { text: 'Hi' }), 0, { isReply: true });
    expect(recording.steps).toEqual([{ source: 'web', target: 'api', text: 'Hi', isReply: true }]);
    expect(updateStep(recording, 7, { text: 'x' })).toBe(recording);
  });

  it('has a maximum number of steps', () => {
    let recording = picked('web');
    for (let step = 0; step < MAX_RECORDED_STEPS + 5; step++) recording = pickComponent(recording, 'web');
    expect(recording.steps).toHaveLength(MAX_RECORDED_STEPS);
  });

  it('survives being stored, and ignores invalid stored data', () => {
    const recording = updateStep(addReply(picked('web', 'api')), 0, { text: 'Get page' });
    expect(parseRecording(JSON.stringify(recording))).toEqual(recording);
    for (const text of [null, '', '{', 'null', '7', '[]', '{"steps":7,"from":{}}', '{"steps":[null,{}]}'])
      expect(parseRecording(text)).toEqual(NO_RECORDING);
  });
});

function startFrom(recording: Recording, id: string): Recording {
  return pickComponent(startElsewhere(recording), id);
}
