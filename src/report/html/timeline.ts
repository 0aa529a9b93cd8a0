import { formatPlural } from '../../contract/format-plural.ts';
import type { Results, TimelineEntry } from '../../contract/generated/results.ts';
import { formatTime, getActorName, selectEntries } from '../timeline.ts';
import { html, type Markup } from './markup.ts';

/** The maximum number of entries in a timeline, so that a page stays small. */
const MAX_ENTRIES = 100;

const ACTORS: readonly TimelineEntry['by'][] = ['world', 'service', 'integration', 'check'];

export function renderTimeline(timeline: readonly TimelineEntry[], kind: Results['target']['kind'], opened: boolean): Markup {
  const lanes = ACTORS.filter((actor) => timeline.some(({ by }) => by === actor));
  const heads = lanes.map((lane) => html`<th scope="col" class="lane">${getActorName(lane, kind)}</th>`);
  const entries = selectEntries(timeline, MAX_ENTRIES);
  const rows = entries.map((entry) => {
    const cells = lanes.map((lane) => html`<td class="lane">${lane === entry.by ? html`<i></i>` : undefined}</td>`);
    return html`<tr class="by-${entry.by}${entry.violation ? ' violation' : ''}"><td class="time"><time datetime="${entry.at}">${formatTime(entry, timeline)}</time></td>${cells}<td class="what">${renderEntry(entry, getActorName(entry.by, kind))}</td></tr>`;
  });
  const title = formatPlural(timeline.length, 'step');
  const others = timeline.length - entries.length;
  const rest = others > 0 ? `, ${others} of them only in results.json` : undefined;
  return html`<details class="timeline"${opened ? html` open` : undefined}><summary>${title}${rest}</summary>
<table><thead><tr><th scope="col" class="time">time</th>${heads}<th scope="col">what happened</th></tr></thead><tbody>${rows}</tbody></table></details>`;
}

function renderEntry({ text, violation, traceId, webhookId, request, response }: TimelineEntry, actor: string): Markup {
  const mark = violation ? html`<span class="mark failed" role="img" aria-label="breaks the rule">✗</span> ` : undefined;
  const line = html`${mark}<b>${actor}: </b>${text}`;
  const details = [
    ['webhook-id', webhookId] as const,
    ['traceId', traceId] as const,
    ['Request', request] as const,
    ['Response', response] as const,
  ].flatMap(([name, value]) => (value === undefined ? [] : html`<h5>${name}</h5><pre>${formatValue(value)}</pre>`));
  return details.length === 0
    ? html`<div class="step">${line}</div>`
    : html`<details class="step"><summary>${line}</summary>${details}</details>`;
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}
