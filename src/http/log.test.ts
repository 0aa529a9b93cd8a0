import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreUnavailable } from '../store/errors.ts';
import { createFailureLog, createLog } from './log.ts';

test('a database outage is logged at level error only once, and other failures are logged every time', () => {
  const logged: string[] = [];
  const createLevelLogger = (name: string) => (fields: { err: Error }, text: string) =>
    logged.push(`${name} ${text} (${fields.err.message})`);
  const failed = createFailureLog(
    Object.assign(createLog('silent'), { error: createLevelLogger('error'), debug: createLevelLogger('debug') }),
  );
  for (let i = 0; i < 2; i++) {
    failed(new StoreUnavailable('no server'), 'a request failed');
    failed(new Error('a bug'), 'a request failed');
  }
  assert.deepEqual(logged, [
    'error a request failed: the database is unavailable (no server)',
    'error a request failed (a bug)',
    'debug a request failed (no server)',
    'error a request failed (a bug)',
  ]);
});
