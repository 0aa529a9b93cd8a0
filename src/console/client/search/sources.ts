import { controlTable } from '../../../contract/generated/control-table.ts';
import { entityForms } from '../../../contract/generated/entity-forms.ts';
import { call } from '../kit/control.ts';
import { faults } from '../kit/state.ts';
import { addPreset, PRESETS } from '../pages/clock/presets.tsx';
import { pages } from '../pages.ts';
import { theme, toggleTheme } from '../theme.ts';
import { formatLabel } from '../ui/form.tsx';
import { buildHref } from '../ui/page.tsx';
import { finishOperation, type Message, undo } from '../ui/toast.ts';

export interface Found {
  readonly kind: string;
  readonly label: string;
  readonly note?: string | undefined;
  /** Other words by which it is found. */
  readonly words?: string | undefined;
  readonly open: string | (() => Promise<void>);
}

const MAX_PER_SOURCE = 5;

const link = (kind: string, label: string, open: string, note?: string, words?: string): Found => ({ kind, label, open, note, words });

/** The words for which people search, and which no label contains. */
const WORDS: Readonly<Record<string, string>> = {
  Overview: 'client secret token decision curl address',
  Requests: 'journal log traffic answer differently respond send again curl explain why',
  World: 'history portal state data entity create change delete',
  Events: 'webhook delivery retry redeliver duplicate failing',
  'Clock & faults': 'slow latency flaky down error inject rate limit expire answer differently time travel advance',
  'Control API': 'operation admin',
  Reports: 'conformance check result',
  'Events: held': 'hold pause reorder order arrange release',
  'Events: subscriptions': 'hold pause delay reorder duplicate delivery mode new webhook endpoint',
  'Events: signature': 'hmac secret verify sign',
};
const linkPage = (label: string, path: string) => link('page', label, buildHref(path), undefined, WORDS[label]);

const PAGES: readonly Found[] = [
  ...pages.map(({ path, label }) => linkPage(label, path.replace(/\/:.*$/, '') || '/')),
  ...['held', 'subscriptions', 'inbox', 'signature'].map((view) => linkPage(`Events: ${view}`, `/events/${view}`)),
  ...Object.keys(entityForms).map((name) => linkPage(`World: ${formatLabel(name)}`, `/world/${name}`)),
  linkPage('World: undo, snapshots, reset, scenarios and files', '/world/all'),
  linkPage('Reports: your client so far', '/reports/client'),
];

const command = <Result>(label: string, run: () => Result | Promise<Result>, done: Message<Result>): Found => ({
  kind: 'command',
  label,
  open: async () => finishOperation(await run(), done),
});

const listCommands = (): readonly Found[] => [
  ...['1m', '1h', '1d'].map((by) => command(`Advance the clock by ${by}`, () => call('advanceClock', { by }), `Kit time moved by ${by}.`)),
  { kind: 'command', label: 'Undo the last change', note: 'Ctrl Z', words: 'revert take back', open: undo },
  ...Object.entries(PRESETS).map(([name, { title, fault }]) =>
    command(`Add the fault “${name}”: ${title}`, () => addPreset(fault), `${name}: every operation.`),
  ),
  ...(faults.value?.length ? [command('Remove all faults', () => call('clearFaults'), 'All faults were removed.')] : []),
  command('Change the theme', toggleTheme, () => `The theme is ${theme.value}.`),
];

async function findEntities(search: string): Promise<readonly Found[]> {
  const found = Object.entries(await call('findNames', { search, limit: MAX_PER_SOURCE }));
  return found.map(([id, { collection, alias, name }]) =>
    link(entityForms[collection].singular, name, buildHref(`/world/${collection}/${encodeURIComponent(id)}`), alias),
  );
}

async function findEvent(id: string): Promise<readonly Found[]> {
  if (!/^[0-9a-f-]{36}$/.test(id)) return [];
  return [link('event', (await call('readEvent', { event: id })).type, buildHref(`/events/event/${id}`), id)];
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
  const matches = ({ label, note = '', words: others = '' }: Found) =>
    words.every((word) => `${label} ${note} ${others}`.toLowerCase().includes(word));
  const select = (all: readonly Found[]) => all.filter(matches).slice(0, MAX_PER_SOURCE);
  if (text.trim() === '') return [...PAGES.slice(0, pages.length), ...listCommands()];
  // A source that fails must not hide the results of the others.
  const sources = [findEntities(text.trim()), findEvent(text.trim()), findRequests(text.trim()), listRules().then(select)];
  const found = (await Promise.allSettled(sources)).flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const unique = new Map(found.map((each) => [String(each.open), each]));
  return [...select(PAGES), ...select(listCommands()), ...select(EVENT_TYPES), ...unique.values()];
}
