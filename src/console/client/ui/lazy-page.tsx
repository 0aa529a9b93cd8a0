import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { call } from '../kit/control.ts';
import { onMessage } from '../kit/stream.ts';
import { Action } from './button.tsx';
import { ErrorNote, Page, type PageProps, Skeleton } from './page.tsx';

type LoadPage = () => Promise<{ readonly default: ComponentType<PageProps> }>;

/** Returns a component that loads a page's code when it is opened first, and loads it again after a failure when the kit responds. */
export function createLazyPage(label: string, load: LoadPage): ComponentType<PageProps> {
  let Loaded: ComponentType<PageProps> | undefined;
  return function LazyPage(props: PageProps) {
    const [error, setError] = useState<Error>();
    const [, update] = useState(0);
    const loadPage = async () => {
      if (Loaded) return;
      Loaded = (await load()).default;
      update(1);
    };
    const tryToLoad = () => void loadPage().catch(setError);
    useEffect(() => {
      tryToLoad();
      return onMessage('connected', tryToLoad);
    }, []);
    /** Some browsers remember a failure, and a newer kit has other files. In both cases, only a reload helps. */
    const retry = () =>
      loadPage().catch(async () => {
        await call('live');
        location.reload();
      });
    if (Loaded) return <Loaded {...props} />;
    return (
      <Page title={label} actions={error && <Action run={retry} text="Try again" />}>
        {error ? (
          <ErrorNote error={new Error('This page could not be loaded. The kit may have been stopped, or replaced by another version.')} />
        ) : (
          <Skeleton />
        )}
      </Page>
    );
  };
}
