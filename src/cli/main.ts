import { reportFailure } from './failure.ts';
import { createProgram } from './program.ts';

// The reader of a pipe may end first, as in `xpk logs | head`.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });

try {
  await createProgram().parseAsync();
} catch (error) {
  reportFailure(error);
}
