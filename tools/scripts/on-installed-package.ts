// Preloaded into test processes. Gives them the installed package instead of the sources when they import src/kit.ts or run xpk, and
// records which control operations and commands succeed.
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPackage } from './installed-package.ts';

const { env } = process;
// src/testing/tested-package.ts uses this variable.
env.XPK_TEST_PACKAGE ||= join(installPackage(), 'node_modules/experience-provider-kit');
const sourceUrl = new URL('../../src/kit.ts', import.meta.url).href;
const url = pathToFileURL(join(env.XPK_TEST_PACKAGE, 'dist/src/kit.js')).href;
/** Whether a comment in the file gives a reason why its tests must use the sources. */
const usesSources = (file = '') =>
  file.startsWith('file:') && readFileSync(new URL(file), 'utf8').includes('// Uses the sources, because ');
registerHooks({
  resolve(specifier, context, next) {
    // The sources of the suite use the package's Playwright, because a process cannot load two.
    const resolved = next(specifier, specifier === '@playwright/test' ? { ...context, parentURL: url } : context);
    return resolved.url === sourceUrl && !usesSources(context.parentURL) ? { ...resolved, url, format: 'module' } : resolved;
  },
});

const xpk = join(env.XPK_TEST_PACKAGE, 'src/cli/xpk.cjs');
const calls = new Set<string>();
subscribe('http.server.request.start', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  const [path = ''] = (request.url ?? '').split('?');
  if (path.startsWith('/_control/'))
    response.once('close', () => void (response.statusCode < 400 && calls.add(`${request.method} ${path}`)));
});
subscribe('child_process', (message) => {
  const { process: child } = message as { process: ChildProcess };
  child.once('exit', (status) => {
    const [, program = '', ...args] = child.spawnargs;
    if (program.endsWith('src/cli/main.ts'))
      throw new Error('A test started src/cli/main.ts. Start XPK_FILE in src/testing/tested-package.ts.');
    if (program === xpk && status === 0) calls.add(args.join(' '));
  });
});
subscribe('xpk:run', (args) => void calls.add((args as string[]).join(' ')));
process.once('exit', () => {
  if (env.XPK_TEST_CALLS) writeFileSync(join(env.XPK_TEST_CALLS, `${process.pid}`), [...calls].join('\n'));
});
