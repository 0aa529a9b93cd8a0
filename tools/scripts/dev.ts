// npm run dev [-- OPTIONS OF xpk start]
// Starts a kit from the sources, restarts it after each change to the service, and rebuilds the console after each change to the console.
import { spawn } from 'node:child_process';
import { watchConsole } from './build/console.ts';

await watchConsole('dist/console');
const kit = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'src/cli/main.ts', 'start', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
// The terminal sends Ctrl-C to both processes. This one waits, so that it does not end before the kit.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => kit.kill());
kit.on('close', (status) => process.exit(status ?? 0));
