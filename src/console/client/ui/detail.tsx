import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Resource } from '../kit/resource.ts';
import { Icon } from './icon.tsx';
import { isPlainKey } from './keys.tsx';
import { Loaded } from './page.tsx';

interface DetailProps<Data> {
  readonly label: string;
  /** The path of the list without the detail. */
  readonly back: string;
  readonly from: Resource<Data>;
  readonly head: (data: Data) => ComponentChildren;
  readonly children: (data: Data) => ComponentChildren;
}

export function Detail<Data>({ label, back, from, head, children }: DetailProps<Data>) {
  const panel = useRef<HTMLElement>(null);
  // The library's types omit `wasPush`: whether the user has followed a link.
  const { wasPush, route } = useLocation() as ReturnType<typeof useLocation> & { readonly wasPush: boolean };
  // A page that was opened with a detail starts at its beginning.
  useEffect(() => {
    if (wasPush) panel.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !isPlainKey(event)) return;
      route(back);
      requestAnimationFrame(() => document.querySelector<HTMLElement>('.list tbody a[tabindex="0"]')?.focus());
    };
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [back]);
  return (
    <article class="stack box detail" ref={panel} aria-label={label} tabIndex={-1}>
      <header class="row nowrap top wide between detail-head">
        <a class="button close" href={back} aria-label="Close the detail">
          <Icon name="close" />
        </a>
        <div>{from.data ? head(from.data) : <h2>{label}</h2>}</div>
      </header>
      <Loaded from={from}>{children}</Loaded>
    </article>
  );
}
