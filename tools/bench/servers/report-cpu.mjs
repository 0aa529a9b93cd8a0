// Preloaded into every measured server. Answers requests for the process's CPU time, its memory in bytes, or a CPU profile.
import { Session } from 'node:inspector/promises';

const session = new Session();

process.on('message', async ({ report }) => {
  const { user, system } = process.cpuUsage();
  if (report === 'cpu') process.send({ cpu: user + system });
  if (report === 'memory') process.send({ figure: process.memoryUsage.rss() });
  if (report === 'start-profile') {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
    process.send({});
  }
  if (report === 'profile') {
    process.send(await session.post('Profiler.stop'));
    session.disconnect();
  }
});
process.on('disconnect', () => process.exit());
