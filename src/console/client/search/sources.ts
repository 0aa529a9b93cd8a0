import { controlTable } from '../../../contract/generated/control-table.ts';
import { entityForms } from '../../../contract/generated/entity-forms.ts';
import { call, type Schemas } from '../kit/control.ts';
import { pages } from '../pages.ts';
import { theme, toggleTheme } from '../theme.ts';
import { formatLabel } from '../ui/form.tsx';
import { buildHref } from '../ui/page.tsx';
import { finishOperation, type Message } from '../ui/toast.ts';

type Collection = Schemas['Collection'];

export interface Found {
  /** What was found, such as `user`. */
  readonly kind: string;
  readonly label: string;
  readonly note?: string | undefined;
  /** The URL to open, or a command. */
  readonly open: string | (() => Promise<void>);
}

const MAX_PER_SOURCE = 5;

const link = (kind: string, label: string, open: string, note?: string): Found => ({ kind, label, open, note });

const PAGES: readonly Found[] = [
  ...pages.map(({ path, label }) => link('page', label, buildHref(path.replace(/\/:.*$/, '') || '/'))),
  ...['held', 'subscriptions', 'inbox', 'signature'].map((view) => link('page', `Events: ${view}`, buildHref(`/events/${view}`))),
  ...Object.keys(entityForms).map((name) => link('page', `World: ${formatLabel(name)}`, buildHref(`/world/${name}`))),
  link('page', 'World: snapshots, reset, scenarios and files', buildHref('/world/all')),
  link('page', 'Reports: your client so far', buildHref('/reports/client')),
];

const command = <Result>(label: string, run: () => Result | Promise<Result>, done: Message<Result>): Found => ({
  kind: 'command',
  label,
  open: async () => finishOperation(await run(), done),
});

const COMMANDS: readonly Found[] = [
  ...['1m', '1h', '1d'].map((by) => command(`Advance the clock by ${by}`, () => call('advanceClock', { by }), `Kit time moved by ${by}.`)),
  command(
    'Undo the last change',
    () => call('undo'),
    ({ undone }) => `Undone: ${undone.request}`,
  ),
  command('Remove all faults', () => call('clearFaults'), 'All faults were removed.'),
  command('Change the theme', toggleTheme, () => `The theme is ${theme.value}.`),
];

async function findEntities(collection: Collection, search: string): Promise<readonly Found[]> {
  const found = await call('listCollection', { collection, search, limit: MAX_PER_SOURCE });
  return Object.entries(found).map(([alias, { id = alias, name, firstName, lastName }]) => {
    const label = String(name ?? ([firstName, lastName].filter(Boolean).join(' ') || alias));
    return link(entityForms[collection].singular, label, buildHref(`/world/${collection}/${encodeURIComponent(String(id))}`), alias);
  });
}

async function findById(text: string): Promise<readonly Found[]> {
  const named = Object.entries(await call('findNames', { text })).map(([id, { collection, alias, name }]) =>
    link(entityForms[collection].singular, name, buildHref(`/world/${collection}/${id}`), alias),
  );
  if (!/^[0-9a-f-]{36}$/.test(text)) return named;
  const event = await call('readEvent', { event: text }).catch(() => undefined);
  return event ? [...named, link('event', event.type, buildHref(`/events/event/${text}`), text)] : named;
}

async function findRequests(text: string): Promise<readonly Found[]> {
  const entries = await call('listRequests', { text, view: 'summary', limit: MAX_PER_SOURCE });
  return entries.map(({ method, path, status, traceId }) =>
    link('request', `${method} ${path}`, buildHref(`/requests/${traceId}`), String(status ?? 'no response')),
  );
}

let rules: Promise<readonly Found[]> | undefined;

function listRules(): Promise<readonly Found[]> {
  rules ??= call('listOperations').then((operations) => {
    const refusals = new Map(operations.flatMap(({ refusals: all }) => all).map((refusal) => [refusal.rule, refusal]));
    return [...refusals.values()].map(({ rule, text }) => link('rule', rule, buildHref('/requests', { rule }), text));
  });
  return rules;
}

const EVENT_TYPES = (controlTable.createSubscription.fields.types?.items?.enum ?? []).map((type) =>
  link('events', type, buildHref('/events', { type })),
);

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
