// Compiles src into dist, from scratch. Plain Node runs this file (types are stripped), so that `prepare` needs nothing but TypeScript.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
// tsc leaves out JSON that is only imported at run time.
cpSync('src/contract/generated', 'dist/contract/generated', { recursive: true, filter: (path) => !path.endsWith('.ts') });
