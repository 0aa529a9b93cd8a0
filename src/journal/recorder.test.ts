import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import type { Request, Response } from 'express';
import { createFingerprint } from '../clock/fingerprint.ts';
import type { Executor } from '../store/engine.ts';
import type { Journal } from './journal.ts';
import { createMemoryJournal } from './memory-journal.ts';
import { createRecorder } from './recorder.ts';

for (const isCommitted of [true, false]) {
  test(`if the client disconnects during a transaction that is ${isCommitted ? 'committed' : 'rolled back'}, the journal has one entry for the request`, async () => {
    const req = Object.assign(new IncomingMessage(new Socket()), { method: 'POST', originalUrl: '/experience/connections' });
    const res = Object.assign(new ServerResponse(req), { req }) as unknown as Response;
    const kept: (number | undefined)[] = [];
    const journal: Journal = {
      ...createMemoryJournal(),
      add: ({ status }) => void kept.push(status),
      async addInTransaction(_, { status }) {
        res.destroyed = true;
        res.emit('close');
        return (committed) => void (committed && kept.push(status));
      },
    };
    const recorder = createRecorder({ journal, fingerprint: createFingerprint(), now: Date.now, getTraceId: () => 'a' });
    recorder.recordRequest(req as Request, res, () => {});
    const end = await recorder.storeInTransaction({} as Executor, res, { status: 201, body: '{}' });
    end(isCommitted);
    assert.deepEqual(kept, isCommitted ? [201] : [undefined]);
  });
}
