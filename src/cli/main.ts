import { reportFailure } from './failure.ts';
import { createProgram } from './program.ts';

// Ends without an error if the reader of a pipe has ended, as in `xpk logs | head`.
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
