const POLL_INTERVAL_MS = 250;
/** Read when this module is loaded, because the shell may end while the kit starts. */
const parent = process.ppid;

/**
 * Ends this process with SIGTERM when npm's shell has ended. npm passes a signal on to the shell in which it runs a script, but many shells
 * end without passing it on to the program.
 */
export function endWithNpm(): void {
  if (!isOnlyCommandOfScript(process.env.npm_lifecycle_script)) return;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, POLL_INTERVAL_MS).unref();
}

/**
 * Whether npm's shell runs only xpk, and waits for it. A script such as `xpk start & npm test` may leave the kit running on purpose, and a
 * script with another program may have started that program in the background.
 */
export function isOnlyCommandOfScript(script = ''): boolean {
  return /^(?:\w+=[\w./:-]* )*(?:node )?(['"]?)(?:[\w./-]*\/)?xpk(?:\.cjs)?\1(?: [^&|;()`$\n]*)?$/.test(script.trim());
}
