import { controlTable } from '../../../contract/generated/control-table.ts';
import { entityForms } from '../../../contract/generated/entity-forms.ts';
import { call, type Schemas } from '../kit/control.ts';
import { refreshKit } from '../kit/state.ts';
import { pages } from '../pages.ts';
import { theme, toggleTheme } from '../theme.ts';
import { formatLabel } from '../ui/form.tsx';
import { buildHref } from '../ui/href.ts';

type Collection = Schemas['Collection'];

export interface Found {
  /** What was found, such as `user`. */
  readonly kind: string;
  readonly label: string;
  readonly note?: string | undefined;
  /** The URL to open, or a command, which returns a message. */
  readonly open: string | (() => Promise<string | undefined>);
}

const MAX_PER_SOURCE = 5;

const PAGES: readonly Found[] = [
  ...pages.map(({ path, label }) => ({ kind: 'page', label, open: buildHref(path.replace(/\/:.*$/, '') || '/') })),
  ...['held', 'subscriptions', 'inbox', 'signature'].map((view) => ({
    kind: 'page',
    label: `Events: ${view}`,
    open: buildHref(`/events/${view}`),
  })),
  ...Object.keys(entityForms).map((name) => ({ kind: 'page', label: `World: ${formatLabel(name)}`, open: buildHref(`/world/${name}`) })),
  { kind: 'page', label: 'World: snapshots, reset, scenarios and files', open: buildHref('/world/all') },
  { kind: 'page', label: 'Reports: your client so far', open: buildHref('/reports/client') },
];

const advance = (by: string): Found => ({
  kind: 'command',
  label: `Advance the clock by ${by}`,
  open: async () => {
    await call('advanceClock', { by });
    await refreshKit();
    return `Kit time moved by ${by}.`;
  },
});

const COMMANDS: readonly Found[] = [
  ...['1m', '1h', '1d'].map(advance),
  {
    kind: 'command',
    label: 'Remove all faults',
    open: async () => {
      await call('clearFaults');
      await refreshKit();
      return 'All faults were removed.';
    },
  },
  {
    kind: 'command',
    label: 'Change the theme',
    open: async () => {
      toggleTheme();
      return `The theme is ${theme.value}.`;
    },
  },
];

async function findEntities(collection: Collection, search: string): Promise<readonly Found[]> {
  const found = await call('listCollection', { collection, search, limit: MAX_PER_SOURCE });
  return Object.entries(found).map(([alias, { id = alias, name, firstName, lastName }]) => ({
    kind: entityForms[collection].singular,
    label: String(name ?? ([firstName, lastName].filter(Boolean).join(' ') || alias)),
    note: alias,
    open: buildHref(`/world/${collection}/${encodeURIComponent(String(id))}`),
  }));
}

async function findById(text: string): Promise<readonly Found[]> {
  const named = Object.entries(await call('findNames', { text })).map(([id, { collection, alias, name }]) => ({
    kind: entityForms[collection].singular,
    label: name,
    note: alias,
    open: buildHref(`/world/${collection}/${id}`),
  }));
  if (!/^[0-9a-f-]{36}$/.test(text)) return named;
  const event = await call('readEvent', { event: text }).catch(() => undefined);
  return event ? [...named, { kind: 'event', label: event.type, note: text, open: buildHref(`/events/event/${text}`) }] : named;
}

async function findRequests(text: string): Promise<readonly Found[]> {
  const entries = await call('listRequests', { text, view: 'summary', limit: MAX_PER_SOURCE });
  return entries.map(({ method, path, status, traceId }) => ({
    kind: 'request',
    label: `${method} ${path}`,
    note: String(status ?? 'no response'),
    open: buildHref(`/requests/${traceId}`),
  }));
}

let rules: Promise<readonly Found[]> | undefined;

function listRules(): Promise<readonly Found[]> {
  rules ??= call('listOperations').then((operations) => {
    const refusals = new Map(operations.flatMap(({ refusals: all }) => all).map((refusal) => [refusal.rule, refusal]));
    return [...refusals.values()].map(({ rule, text }) => ({
      kind: 'rule',
      label: rule,
      note: text,
      open: buildHref('/requests', { rule }),
    }));
  });
  return rules;
}

const EVENT_TYPES: readonly Found[] = (controlTable.createSubscription.fields.types?.items?.enum ?? []).map((type) => ({
  kind: 'events',
  label: type,
  open: buildHref('/events', { type }),
}));

/** Finds pages, commands, entities by alias, name or id, requests by any text, events by type or id, and rules. */
export async function search(text: string): Promise<readonly Found[]> {
  const words = text.toLowerCase().trim().split(/\s+/);
  const matches = ({ label, note = '' }: Found) => words.every((word) => `${label} ${note}`.toLowerCase().includes(word));
  const select = (all: readonly Found[]) => all.filter(matches).slice(0, MAX_PER_SOURCE);
  if (text.trim() === '') return [...PAGES.slice(0, pages.length), ...COMMANDS];
  // A source that fails must not hide the results of the others.
  const sources = [
    findById(text.trim()),
    ...(Object.keys(entityForms) as Collection[]).map((collection) => findEntities(collection, text.trim())),
    findRequests(text.trim()),
    listRules().then(select),
  ];
  const found = (await Promise.allSettled(sources)).flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const unique = new Map(found.map((each) => [String(each.open), each]));
  return [...select(PAGES), ...select(COMMANDS), ...select(EVENT_TYPES), ...unique.values()];
}
