import { freePort } from '../../src/store/testing/free-port.ts';
import { end, repositoryFile, startNode } from '../child.ts';
import { Connection } from '../load/connection.ts';
import { requestText } from '../load/request.ts';
import { firstAnswer } from '../server.ts';
import { spreadOf } from '../spread.ts';
import type { Scenario } from './scenario.ts';

const RESETS = 50;

/** What a test suite pays that wants the demo world as it was before every test. */
export const reset: Scenario = async () => {
  const port = await freePort();
  const child = startNode('server', [repositoryFile('bin/xpk.cjs'), 'start', '--port', String(port)], { messages: false });
  await firstAnswer(port, '/_control/health');
  const connection = new Connection(port);
  const request = requestText({ method: 'POST', path: '/_control/reset', body: { to: 'seed' } });
  const times: number[] = [];
  for (let i = 0; i < RESETS; i++) {
    const start = performance.now();
    const { status, body } = await connection.send(request);
    if (status !== 200) throw new Error(`a reset answered ${status}: ${body}`);
    times.push(performance.now() - start);
  }
  connection.close();
  await end(child);
  return { rows: [{ what: 'reset of the demo world', unit: 'ms', figures: { time: spreadOf(times) } }] };
};
