import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import type { Request, Response } from 'express';
import { createFingerprint } from '../clock/fingerprint.ts';
import type { Store } from '../store/store.ts';
import { createJournal, type Journal } from './journal.ts';
import { createMemoryStore } from './memory-store.ts';
import { createRecorder } from './recorder.ts';

for (const isCommitted of [true, false]) {
  test(`if the client disconnects during a transaction that is ${isCommitted ? 'committed' : 'rolled back'}, the journal has one entry for the request`, async () => {
    const req = Object.assign(new IncomingMessage(new Socket()), { method: 'POST', originalUrl: '/experience/connections' });
    const res = Object.assign(new ServerResponse(req), { req }) as unknown as Response;
    const kept: (number | undefined)[] = [];
    const journal: Journal = {
      ...createJournal(createMemoryStore()),
      add: ({ status }) => void kept.push(status),
      async addInTransaction(_, { status }) {
        res.destroyed = true;
        res.emit('close');
        return (committed) => void (committed && kept.push(status));
      },
    };
    const recorder = createRecorder({ journal, fingerprint: createFingerprint(), now: Date.now, getTraceId: () => 'a' });
    recorder.recordRequest(req as Request, res, () => {});
    const store = {
      async write(work: (tx: object) => Promise<object>) {
        await work({});
        if (!isCommitted) throw new Error('rolled back');
      },
    } as unknown as Store;
    const writing = recorder.withEntry!(store, res, () => ({ status: 201, body: '{}' })).write(async () => {});
    await (isCommitted ? writing : assert.rejects(writing, /rolled back/));
    assert.deepEqual(kept, isCommitted ? [201] : [undefined]);
  });
}
