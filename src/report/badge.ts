import { html } from './html/markup.ts';
import type { MatrixRun } from './matrix.ts';

const LABEL = 'conformance';
/** The width of a character in the badge's font, in pixels. */
const CHARACTER_WIDTH = 6.6;
const PADDING = 12;

/** Returns an SVG image, such as `conformance | 2.1.0: 325 of 329`. */
export function formatBadge({ version, succeeded, totals }: MatrixRun): string {
  const text = `${version}: ${totals.passed} of ${totals.inScope}`;
  const [left, right] = [LABEL, text].map((each) => Math.round(each.length * CHARACTER_WIDTH + PADDING)) as [number, number];
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${LABEL}: ${text}">
<title>${LABEL}: ${text}</title><clipPath id="r"><rect width="${left + right}" height="20" rx="4"/></clipPath>
<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#3c4148"/><rect x="${left}" width="${right}" height="20" fill="${succeeded ? '#1d7f4e' : '#c42b36'}"/></g>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><text x="${left / 2}" y="14">${LABEL}</text><text x="${left + right / 2}" y="14">${text}</text></g></svg>
`.text;
}
