import type { Request, Response } from 'express';
import { operations } from '../contract/generated/operations.ts';
import { baseUrlOf } from '../oauth/server/metadata.ts';
import { htmlDocument, sendPage, text } from '../oauth/server/page.ts';

/**
 * The facts that `GET /` reports. The base of the reported addresses is the public URL, the Host of the request or `baseUrl` (see
 * `baseUrlOf`).
 */
export interface HomeFacts {
  readonly version: string;
  readonly world: () => string;
  /** Whether the control API is enabled. */
  readonly control: boolean;
  readonly publicUrl: string | undefined;
  readonly baseUrl: () => string;
}

/**
 * Responds to `GET /` with a description of the server and its addresses, as JSON. A client that accepts text/html, such as a browser, is
 * sent to the console instead, or gets a page if there is no console.
 */
export function sendHome(req: Request, res: Response, facts: HomeFacts): void {
  const home = homeOf(req, facts);
  res.vary('Accept');
  if (req.accepts(['json', 'html']) !== 'html') res.json(home);
  // A relative address, because a proxy may serve the kit below a path.
  else if (facts.control) res.redirect('./_console/');
  else sendPage(res, 200, homePage(home));
}

/** The note at the top of each HTML page of the API. */
export const NOT_THE_SERVICE = '<strong>This is not the real service.</strong> It is a mock for development.';

type Home = ReturnType<typeof homeOf>;

function homeOf(req: Request, facts: HomeFacts) {
  const url = baseUrlOf(req, facts);
  return {
    name: 'Experience Provider Kit',
    version: facts.version,
    world: facts.world(),
    api: url,
    // Lists both paths of one operation, as an example of the two path forms.
    pathForms: Object.values(operations.getExperienceConnections.forms).map((path) => url + path),
    authorizationServer: `${url}/auth`,
    authorizationServerMetadata: `${url}/auth/.well-known/oauth-authorization-server`,
    openapi: `${url}/openapi.json`,
    asyncapi: `${url}/asyncapi.json`,
    problems: `${url}/problems/{id}`,
    ...(facts.control && { control: `${url}/_control/info`, console: `${url}/_console/` }),
  };
}

function homePage(home: Home): string {
  const code = (value: string) => `<code>${text(value)}</code>`;
  const link = (url: string) => `<a href="${text(url)}">${code(url)}</a>`;
  const rows: readonly (readonly [title: string, ...contents: readonly string[]])[] = [
    ['API, and one operation under both path forms', ...[home.api, ...home.pathForms].map(code)],
    ['Authorization server and its metadata', code(home.authorizationServer), link(home.authorizationServerMetadata)],
    ['OpenAPI document of the API', link(home.openapi)],
    ['AsyncAPI document of the events', link(home.asyncapi)],
    ['The rule behind a problem, by the id in its type', code(home.problems)],
  ];
  return htmlDocument({
    title: home.name,
    note: NOT_THE_SERVICE,
    body: `<h1>${text(home.name)}</h1>
<p>A local Experience Provider Integration Service. Version ${text(home.version)}, world <strong>${text(home.world)}</strong>.</p>
<ul class="scopes last">
${rows.map(([title, ...contents]) => `<li>${title}${contents.join('')}</li>`).join('\n')}
</ul>`,
  });
}
