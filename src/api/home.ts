import type { Request, Response } from 'express';
import { operations } from '../contract/generated/operations.ts';
import { type Addresses, getBaseUrl } from '../oauth/server/metadata.ts';
import { escapeHtml, formatHtmlDocument, sendPage } from '../oauth/server/page.ts';

export interface HomeFacts extends Addresses {
  readonly version: string;
  readonly world: () => string;
  readonly control: boolean;
}

export function sendHome(req: Request, res: Response, facts: HomeFacts): void {
  const home = describeServer(req, facts);
  res.vary('Accept');
  if (req.accepts(['json', 'html']) !== 'html') res.json(home);
  // A relative address, because a proxy may serve the kit below a path.
  else if (facts.control) res.redirect('./_console/');
  else sendPage(res, 200, formatHomePage(home));
}

export const MOCK_NOTICE = '<strong>This is not the real service.</strong> It is a mock for development.';

type Home = ReturnType<typeof describeServer>;

function describeServer(req: Request, facts: HomeFacts) {
  const url = getBaseUrl(req, facts);
  return {
    name: 'Experience Provider Kit',
    version: facts.version,
    world: facts.world(),
    api: url,
    pathForms: Object.values(operations.getExperienceConnections.forms).map((path) => url + path),
    authorizationServer: `${url}/auth`,
    authorizationServerMetadata: `${url}/auth/.well-known/oauth-authorization-server`,
    openapi: `${url}/openapi.json`,
    asyncapi: `${url}/asyncapi.json`,
    problems: `${url}/problems/{id}`,
    ...(facts.control && { control: `${url}/_control/info`, console: `${url}/_console/` }),
  };
}

function formatHomePage(home: Home): string {
  const formatCode = (value: string) => `<code>${escapeHtml(value)}</code>`;
  const formatLink = (url: string) => `<a href="${escapeHtml(url)}">${formatCode(url)}</a>`;
  const rows: readonly (readonly [title: string, ...contents: readonly string[]])[] = [
    ['Base URL of the API, and the URLs of one operation under both path forms', ...[home.api, ...home.pathForms].map(formatCode)],
    ['Authorization server and its metadata', formatCode(home.authorizationServer), formatLink(home.authorizationServerMetadata)],
    ['OpenAPI document of the API', formatLink(home.openapi)],
    ['AsyncAPI document of the events', formatLink(home.asyncapi)],
    ['Explanation of a problem, by its type', formatCode(home.problems)],
  ];
  return formatHtmlDocument({
    title: home.name,
    note: MOCK_NOTICE,
    body: `<h1>${escapeHtml(home.name)}</h1>
<p>A local Experience Provider Integration Service. Version ${escapeHtml(home.version)}, world <strong>${escapeHtml(home.world)}</strong>.</p>
<ul class="scopes last">
${rows.map(([title, ...contents]) => `<li>${title}${contents.join('')}</li>`).join('\n')}
</ul>`,
  });
}
