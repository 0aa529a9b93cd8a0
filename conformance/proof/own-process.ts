// Runs a job in a process of its own, because a breach changes the sources that the process loads.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** @param file the URL of a file that calls `handleJob` @returns undefined if the job ended with an error */
export async function runInOwnProcess<Result>(file: URL, job: object): Promise<Result | undefined> {
  const child = fork(fileURLToPath(file), { execArgv: [] });
  child.send(job);
  const [result] = (await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [])])) as [Result?];
  child.kill();
  return result;
}

export function handleJob<Job>(run: (job: Job) => Promise<unknown>): void {
  process.once('message', (job: Job) => {
    run(job).then(
      (result) => process.send!(result, () => process.exit()),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}
