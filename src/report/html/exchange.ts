import type { Exchange, Failure } from '../results.ts';
import { html, type Markup } from './markup.ts';

// The exchange is shown below the message.
const ANSWERED = /\n[A-Z]+ \S+ was answered with \d+:.*$/s;

/** The message of a failure, its exchange, and how to repeat it. */
export function failureMarkup({ message, exchange, before = [], traceId, curl }: Failure): Markup {
  return html`<div class="failure">
<p class="message">${exchange ? message.replace(ANSWERED, '').trim() : message}</p>
${exchange && exchangeMarkup(exchange)}
${traceId === undefined ? undefined : html`<p class="fact"><span>traceId</span> <code>${traceId}</code></p>`}
${curl === undefined ? undefined : html`<div class="curl"><pre>${curl}</pre><button type="button" data-copy>Copy</button></div>`}
${before.length === 0 ? undefined : html`<details class="before"><summary>${before.length === 1 ? 'The request before it' : `The ${before.length} requests before it`}</summary>${before.map(exchangeMarkup)}</details>`}
</div>`;
}

function exchangeMarkup({ method, url, requestHeaders, requestBody, status, headers, text }: Exchange): Markup {
  return html`<div class="exchange">
<div><h5>Request</h5><pre><b>${method} ${pathOf(url)}</b>
${headerLines(requestHeaders)}${requestBody === undefined ? undefined : `\n\n${pretty(requestBody)}`}</pre></div>
<div><h5>Response</h5><pre><b class="status s${Math.floor(status / 100)}">${status}</b>
${headerLines(headers)}${text === '' ? undefined : `\n\n${pretty(text)}`}</pre></div>
</div>`;
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function pathOf(url: string): string {
  const { pathname, search } = URL.canParse(url) ? new URL(url) : { pathname: url, search: '' };
  return pathname + search;
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
