import { STYLE } from './assets.ts';
import { html, Markup } from './markup.ts';

interface PageParts {
  readonly title: string;
  readonly eyebrow: string;
  readonly heading: string;
  readonly meta?: Markup;
  /** In addition to STYLE. */
  readonly style?: string;
  readonly script: string;
}

/** Returns a single HTML page. It needs no network, and is readable without scripts. */
export function renderPage({ title, eyebrow, heading, meta, style = '', script }: PageParts, content: Markup): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${title}</title><style>${new Markup(STYLE + style)}</style></head>
<body><main>
<header><div><p class="eyebrow">${eyebrow}</p><h1>${heading}</h1>${meta}</div>
<button type="button" id="theme">Light / dark</button></header>
${content}
</main><script>${new Markup(script)}</script></body></html>
`.text;
}
