import { reportFailure } from './failure.ts';
import { createProgram } from './program.ts';

// If the program that reads the output closes the pipe, as in `xpk logs | head`, xpk ends without an error.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });

try {
  const args = process.argv.slice(2);
  await (await createProgram(args)).parseAsync(args, { from: 'user' });
} catch (error) {
  reportFailure(error);
}
