import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

/** Data of the kit that a component shows. `data` stays while it is loaded again. */
export interface Resource<Data> {
  readonly data: Data | undefined;
  readonly error: Error | undefined;
  readonly reload: () => Promise<void>;
}

/**
 * Loads data when the component appears and when a dependency changes.
 * @param everyMs if set, loads the data again after this time while the page is visible
 */
export function useResource<Data>(load: () => Promise<Data>, dependencies: readonly unknown[] = [], everyMs?: number): Resource<Data> {
  const [state, setState] = useState<Omit<Resource<Data>, 'reload'>>({ data: undefined, error: undefined });
  const latest = useRef(0);
  const reload = useCallback(async () => {
    const own = ++latest.current;
    const next = await load().then(
      (data) => ({ data, error: undefined }),
      (error: Error) => ({ error }),
    );
    // An older request may end after a newer one.
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
