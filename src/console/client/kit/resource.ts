import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

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
