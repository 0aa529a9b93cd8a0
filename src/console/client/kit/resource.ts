import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { paceWork } from './pace.ts';
import { type Messages, onMessage } from './stream.ts';

/** `data` keeps its value during a reload. */
export interface Resource<Data> {
  readonly data: Data | undefined;
  readonly error: Error | undefined;
  readonly reload: () => Promise<void>;
}

/** @param everyMs milliseconds between reloads; undefined for no reloads */
export function useResource<Data>(load: () => Promise<Data>, dependencies: readonly unknown[] = [], everyMs?: number): Resource<Data> {
  const [state, setState] = useState<Omit<Resource<Data>, 'reload'>>({ data: undefined, error: undefined });
  const latest = useRef(0);
  const reload = useCallback(async () => {
    const own = ++latest.current;
    const next = await load().then(
      (data) => ({ data, error: undefined }),
      (error: Error) => ({ error }),
    );
    // Ignore the result if a newer request has started.
    if (own === latest.current) setState((before) => ({ ...before, ...next }));
  }, dependencies);
  useEffect(() => {
    void reload();
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => document.visibilityState === 'visible' && void reload(), everyMs);
    return () => clearInterval(timer);
  }, [reload, everyMs]);
  return { ...state, reload };
}

/**
 * Loads data, and reloads it after stream messages and when the stream connects.
 * @param types the messages after which the data may have changed
 * @param pauseMs the longest pause between two loads, in milliseconds
 */
export function useLive<Data>(
  load: () => Promise<Data>,
  dependencies: readonly unknown[],
  types: readonly (keyof Messages)[],
  pauseMs?: number,
): Resource<Data> {
  const resource = useResource(load, dependencies);
  const { reload } = resource;
  useEffect(() => {
    const { soon, stop } = paceWork(reload, pauseMs);
    const stops = [...types, 'connected' as const].map((type) => onMessage(type, soon));
    return () => {
      for (const end of [...stops, stop]) end();
    };
  }, [reload]);
  return resource;
}
