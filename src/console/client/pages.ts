import type { ComponentType } from 'preact';
import type { IconName } from './ui/icon.tsx';
import type { PageProps } from './ui/page.tsx';

interface PageEntry {
  /** The path in the console. `:name` is a page parameter, and `?` makes it optional. */
  readonly path: string;
  readonly label: string;
  /** The icon in the navigation. Other pages link to a page without an icon. */
  readonly icon?: IconName;
  /** A proxy has nothing that the page could show. */
  readonly isOnlyOfKit?: true;
  readonly load: () => Promise<{ readonly default: ComponentType<PageProps> }>;
}

export const pages: readonly PageEntry[] = [
  { path: '/', label: 'Overview', icon: 'overview', load: () => import('./pages/overview/overview.tsx') },
  { path: '/requests/:traceId?', label: 'Requests', icon: 'requests', load: () => import('./pages/requests/requests.tsx') },
  { path: '/world/:collection?/:name?', label: 'World', icon: 'world', isOnlyOfKit: true, load: () => import('./pages/world/world.tsx') },
  { path: '/events/:view?/:id?', label: 'Events', icon: 'events', isOnlyOfKit: true, load: () => import('./pages/events/events.tsx') },
  { path: '/clock', label: 'Clock & faults', icon: 'clock', load: () => import('./pages/clock/clock.tsx') },
  { path: '/reports/:view?/:name?', label: 'Reports', icon: 'reports', load: () => import('./pages/reports/reports.tsx') },
  { path: '/worlds/:name?', label: 'Worlds', load: () => import('./pages/worlds/worlds.tsx') },
  { path: '/operations/:operation?', label: 'Control API', load: () => import('./pages/operations/operations.tsx') },
];
