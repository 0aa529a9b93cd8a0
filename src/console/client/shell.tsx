import { useEffect, useRef } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { consolePath, kitUrl, ownChanges } from './kit/control.ts';
import { clock, faults, info, isActive, kitNow } from './kit/state.ts';
import { connection } from './kit/stream.ts';
import { pages } from './pages.ts';
import { Search } from './search/palette.tsx';
import { theme, toggleTheme } from './theme.ts';
import { Button } from './ui/button.tsx';
import { Icon } from './ui/icon.tsx';
import { PageKeys } from './ui/keys.tsx';
import { createLazyPage } from './ui/lazy-page.tsx';
import { buildHref, Note, NotFound } from './ui/page.tsx';
import { dismissToast, runAction, toasts, undo } from './ui/toast.ts';
import { TokenDialog } from './ui/token-dialog.tsx';
import { formatOffset, Named, TimeText } from './ui/values.tsx';

const routes = pages.map(({ path, label, load }) => ({
  path: `${consolePath}${path}`.replace(/\/$/, ''),
  component: createLazyPage(label, load),
}));

export function Shell() {
  return (
    <LocationProvider scope={consolePath}>
      <a class="button skip" href="#main">
        Skip to the content
      </a>
      <div class="shell">
        <Sidebar />
        <MainContent />
      </div>
      <TokenDialog />
    </LocationProvider>
  );
}

/** Undefined unless the kit is a proxy. */
function getTargetHost(): string | undefined {
  const { upstream } = info.value ?? {};
  return upstream && new URL(upstream.api).host;
}

function MainContent() {
  const { path } = useLocation();
  const main = useRef<HTMLElement>(null);
  const page = path.slice(consolePath.length).split('/')[1] ?? '';
  const isFirst = useRef(true);
  const target = getTargetHost();
  // Moves the focus, so that a screen reader starts at the new page's beginning.
  useEffect(() => {
    if (!isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [page]);
  useEffect(() => {
    const { label } = pages.find((entry) => entry.path.split('/')[1] === page) ?? {};
    document.title = [label, target === undefined ? 'Console' : `Proxy of ${target}`].filter(Boolean).join(' · ');
  }, [page, target]);
  return (
    <main id="main" tabIndex={-1} ref={main}>
      {connection.value === 'lost' && (
        <Note tone="bad" role="alert">
          The kit does not respond, so this page may be out of date. The console reconnects as soon as the kit responds.
        </Note>
      )}
      <Router>
        {routes.map(({ path, component }) => (
          <Route key={path} path={path} component={component} />
        ))}
        <Route default component={NotFound} />
      </Router>
    </main>
  );
}

/** The name of a world besides the first one. */
const [, worldName] = /\/w\/([^/]+)$/.exec(kitUrl) ?? [];

function Sidebar() {
  const { path } = useLocation();
  const target = getTargetHost();
  const current = `/${path.slice(consolePath.length).split('/')[1] ?? ''}`;
  return (
    <header class="side">
      <div class="row nowrap brand">
        <Icon name="brand" />
        <div>
          Experience Provider Kit
          <small>
            {target === undefined ? (
              <a href={buildHref('/worlds')} title="All worlds of this kit">
                {worldName ?? info.value?.world} · all worlds
              </a>
            ) : (
              `proxy of ${target}`
            )}
          </small>
        </div>
      </div>
      <Search />
      <nav aria-label="Pages">
        <ul class="stack tight">
          {pages.map(({ path, label, icon, isOnlyOfKit }) => {
            const href = path.replace(/\/:.*$/, '');
            return (
              icon &&
              !(isOnlyOfKit && target) && (
                <li key={path}>
                  <a class="link" href={buildHref(href)} aria-current={current === href ? 'page' : undefined}>
                    <Icon name={icon} />
                    <span>{label}</span>
                  </a>
                </li>
              )
            );
          })}
        </ul>
      </nav>
      <Toasts />
      <KitFacts />
    </header>
  );
}

const Toasts = () => (
  <div class="stack toasts" role="status" aria-live="polite">
    {toasts.value.toReversed().map(({ id, text, tone, change }) => (
      <div key={id} class="stack tight box toast" data-tone={tone}>
        <p>
          <Named text={text} />
        </p>
        <div class="row between">
          {change !== undefined && change === ownChanges.at(-1) ? (
            <Button icon="repeat" text="Undo" title="Ctrl Z" onClick={() => void runAction(() => undo(change))} />
          ) : (
            <span />
          )}
          <Button class="quiet" icon="close" label="Dismiss the message" onClick={() => dismissToast(id)} />
        </div>
      </div>
    ))}
  </div>
);

const CONNECTION_STATES = { connecting: ['plain', 'Connecting …'], live: ['good', 'Live'], lost: ['bad', 'Connection lost'] } as const;

function KitFacts() {
  const active = (faults.value ?? []).filter(isActive).length;
  const [tone, state] = CONNECTION_STATES[connection.value];
  return (
    <div class="stack tight kit-facts">
      <p data-tone={tone} role="status">
        {state}
      </p>
      <a href={buildHref('/clock')}>
        <TimeText at={kitNow.value} />
        <small class="wide-only">{clock.value ? formatOffset(clock.value.offsetMs) : ' '}</small>
      </a>
      <a href={buildHref('/clock')} data-tone={active > 0 ? 'warn' : undefined}>
        {active === 0 ? 'No faults' : `${active} ${active === 1 ? 'fault' : 'faults'} active`}
      </a>
      <div class="row">
        <Button class="quiet" icon={theme.value === 'dark' ? 'moon' : 'sun'} onClick={toggleTheme} title="Change the theme">
          <span class="wide-only">{theme.value === 'dark' ? 'Dark' : 'Light'}</span>
        </Button>
        <PageKeys />
      </div>
    </div>
  );
}
