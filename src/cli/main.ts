import { reportFailure } from './failure.ts';
import { createProgram } from './program.ts';

// A reader such as `head` in `xpk logs | head` may close the pipe before xpk ends. Then xpk ends without an error.
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
