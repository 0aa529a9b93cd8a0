import { useEffect } from 'preact/hooks';
import { paced } from './pace.ts';
import { type Resource, useResource } from './resource.ts';
import { type Messages, onMessage } from './stream.ts';

/**
 * Loads data, and loads it again after messages of the stream.
 * @param types the messages after which the data may be different
 * @param pauseMs the pause between two requests for the data while messages keep arriving
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
    const { soon, stop } = paced(reload, pauseMs);
    const stops = types.map((type) => onMessage(type, soon));
    return () => {
      for (const end of [...stops, stop]) end();
    };
  }, [reload]);
  return resource;
}
