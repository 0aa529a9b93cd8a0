import { useEffect } from 'preact/hooks';
import { type Resource, useResource } from './resource.ts';
import { type Messages, onMessage } from './stream.ts';

/**
 * Loads data, and loads it again after messages of the stream.
 * @param types the messages after which the data may be different
 * @param pauseMs the shortest time between two requests for the data, however many messages arrive
 */
export function useLive<Data>(
  load: () => Promise<Data>,
  dependencies: readonly unknown[],
  types: readonly (keyof Messages)[],
  pauseMs = 300,
): Resource<Data> {
  const resource = useResource(load, dependencies);
  const { reload } = resource;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOutdated = false;
    const soon = () => {
      isOutdated = true;
      timer ??= setTimeout(async () => {
        isOutdated = false;
        await reload();
        timer = undefined;
        if (isOutdated) soon();
      }, pauseMs);
    };
    const stops = types.map((type) => onMessage(type, soon));
    return () => {
      for (const stop of stops) stop();
      clearTimeout(timer);
    };
  }, [reload]);
  return resource;
}
