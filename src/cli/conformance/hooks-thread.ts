// Runs in a thread of its own: whatever a module of hooks starts when it is loaded ends with the thread, and keeps no command from ending.
import { parentPort, workerData } from 'node:worker_threads';
import { memberOf } from '../../../conformance/target/hook-calls.ts';
import { functionNames, HOOKS, type HookName } from '../../../conformance/target/hooks.ts';

/** What a module has: its hooks, and functions that are none. Or why it cannot be loaded. */
export type Inspected = { readonly hooks: readonly HookName[]; readonly others: readonly string[] } | { readonly failed: string };

async function inspected(url: string): Promise<Inspected> {
  try {
    const module = (await import(url)) as { default?: unknown };
    const names = Object.keys(HOOKS) as HookName[];
    const known = new Set(names.flatMap(functionNames));
    const others = [module, module.default].flatMap((holder) =>
      typeof holder === 'object' && holder !== null
        ? Object.keys(holder).filter((key) => typeof Reflect.get(holder, key) === 'function' && !known.has(key))
        : [],
    );
    return { hooks: names.filter((name) => memberOf(module, name) !== undefined), others };
  } catch (error) {
    return { failed: String(error) };
  }
}

parentPort?.postMessage(await inspected(workerData as string));
