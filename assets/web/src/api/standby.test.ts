import { beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from './errors';
import { updateStandby, useStandby } from './standby';

const REFUSED = { code: 'standby', error: 'this server is a standby' };
const message = () => useStandby.getState().message;

describe('a standby', () => {
  beforeEach(() => useStandby.setState({ message: '' }));

  it('is recognized by the rejection of a write', () => {
    updateStandby('PATCH', false, { error: 'the server is busy' });
    expect(message()).toBe('');
    updateStandby('PATCH', false, REFUSED);
    expect(message()).toBe(REFUSED.error);
  });

  it('is replaced when a write succeeds, not when a read does', () => {
    updateStandby('POST', false, REFUSED);
    updateStandby('GET', true);
    updateStandby(undefined, true);
    updateStandby('POST', false, { error: 'invalid' });
    expect(message()).toBe(REFUSED.error);
    updateStandby('POST', true);
    expect(message()).toBe('');
  });

  it('is an error after which the same request can succeed later', () => {
    expect(new ApiError(503, REFUSED).isTemporary).toBe(true);
  });
});
