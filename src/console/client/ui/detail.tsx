import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Resource } from '../kit/resource.ts';
import { Icon } from './icon.tsx';
import { Loaded } from './page.tsx';

interface DetailProps<Data> {
  readonly label: string;
  /** The path of the list without the detail. */
  readonly back: string;
  readonly from: Resource<Data>;
  /** Shown until the data has been loaded. */
  readonly title: string;
  readonly head: (data: Data) => ComponentChildren;
  readonly children: (data: Data) => ComponentChildren;
}

/** The detail of a list's selected row. */
export function Detail<Data>({ label, back, from, title, head, children }: DetailProps<Data>) {
  const panel = useRef<HTMLElement>(null);
  // On a narrow screen, the detail may be outside the visible part of the page.
  useEffect(() => panel.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <article class="stack box detail" ref={panel} aria-label={label}>
      <header class="detail-head">
        <a class="button close" href={back} aria-label="Close the detail">
          <Icon name="close" />
        </a>
        <div>{from.data ? head(from.data) : <h2>{title}</h2>}</div>
      </header>
      <Loaded from={from} lines={10}>
        {children}
      </Loaded>
    </article>
  );
}
