import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFaults, type FaultRequest } from './faults.ts';

const refusals: readonly [FaultRequest, pointer: string, reason: RegExp][] = [
  [{ fault: 'problem', status: 500, operation: 'getUsr' }, '/operation', /^There is no operation "getUsr"\. Did you mean "getUser"\?$/],
  [{ fault: 'problem' }, '/status', /^A fault of the kind problem needs status\.$/],
  [{ fault: 'latency' }, '/latencyMs', /^A fault of the kind latency needs latencyMs\.$/],
  [{ fault: 'problem', status: 500, latencyMs: 5 }, '/latencyMs', /^The member latencyMs belongs to the kind latency alone/],
  [{ fault: 'connection-reset', status: 500 }, '/status', /^The member status belongs to the kind problem alone/],
  [{ fault: 'problem', status: 418, operation: 'getUser' }, '/status', /^418 is not documented for getUser\. Say "undocumented": true/],
];
for (const [request, pointer, reason] of refusals) {
  test(`a fault ${JSON.stringify(request)} is refused in a sentence that names the place`, () => {
    const added = createFaults().add(request);
    assert.ok('invalid' in added);
    assert.equal(added.pointer, pointer);
    assert.match(added.invalid, reason);
  });
}

test('an undocumented status is let through where it is said to be meant', () => {
  assert.ok('id' in createFaults().add({ fault: 'problem', status: 418, undocumented: true }));
});
