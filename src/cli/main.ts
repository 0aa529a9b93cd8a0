import { protectOutput } from '../report/printable.ts';
import { reportFailure } from './failure.ts';
import { createProgram } from './program.ts';

// A closed pipe, as in `xpk logs | head`, is no error.
for (const stream of [process.stdout, process.stderr]) {
  protectOutput(stream);
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') reportFailure(Object.assign(error, { path: 'the output' }));
    process.exit();
  });
}

try {
  const args = process.argv.slice(2);
  await (await createProgram(args)).parseAsync(args, { from: 'user' });
} catch (error) {
  reportFailure(error);
}
