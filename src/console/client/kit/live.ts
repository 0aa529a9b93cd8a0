import { useEffect } from 'preact/hooks';
import { paceWork } from './pace.ts';
import { type Resource, useResource } from './resource.ts';
import { type Messages, onMessage } from './stream.ts';

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
