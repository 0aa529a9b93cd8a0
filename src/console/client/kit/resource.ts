import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { reloadNames } from './names.ts';
import { paceWork } from './pace.ts';
import { refreshKit } from './state.ts';
import { type Messages, onMessage } from './stream.ts';

/** `data` keeps its value during a reload. */
export interface Resource<Data> {
  readonly data: Data | undefined;
  readonly error: Error | undefined;
}

interface ReloadTriggers {
  /** The stream messages after which the data may have changed. It is also loaded again when the stream connects. */
  readonly on?: readonly (keyof Messages)[];
  /** The longest pause between two loads after messages, in milliseconds. */
  readonly pauseMs?: number;
  readonly everyMs?: number;
}

const shown = new Set<() => Promise<void>>();

let held: Promise<unknown> = Promise.resolve();

/** Runs `work`, for which reloads wait, because the message about a change arrives before the response to it. */
export function holdReloads<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = work();
  held = result.catch(() => {});
  return result;
}

/** Reloads everything that is shown. Call this after a change. */
export function reloadPage(): Promise<unknown> {
  reloadNames();
  return Promise.all([refreshKit(), ...[...shown].map((reload) => reload())]);
}

/** Loads data, and reloads it after each action of the user and after the given triggers. */
export function useResource<Data>(
  load: () => Promise<Data>,
  dependencies: readonly unknown[] = [],
  { on, pauseMs, everyMs }: ReloadTriggers = {},
): Resource<Data> {
  const [state, setState] = useState<Resource<Data>>({ data: undefined, error: undefined });
  const latest = useRef(0);
  // A removed component must not load again, and only a layout effect ends as soon as it is removed.
  useLayoutEffect(() => {
    const reload = async () => {
      await held;
      if (!shown.has(reload)) return;
      const own = ++latest.current;
      const next = await load().then(
        (data) => ({ data, error: undefined }),
        (error: Error) => ({ error }),
      );
      // Ignore the result if a newer request has started.
      if (own === latest.current) setState((before) => ({ ...before, ...next }));
    };
    shown.add(reload);
    void reload();
    const timer = everyMs && setInterval(() => document.visibilityState === 'visible' && reload(), everyMs);
    const { soon, stop } = paceWork(reload, pauseMs);
    const stops = on ? [...on, 'connected' as const].map((type) => onMessage(type, soon)) : [];
    return () => {
      shown.delete(reload);
      clearInterval(timer);
      for (const end of [...stops, stop]) end();
    };
  }, dependencies);
  return state;
}
