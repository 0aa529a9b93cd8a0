import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { AuthorizationResponseError, ClientError } from 'openid-client';
import type { Config } from './config.ts';
import { connect, NotAssignableError } from './connect.ts';
import { type Customer, createLogins, LoginNeededError } from './login.ts';
import { createServices, ServiceError } from './service.ts';
import { createSync } from './sync.ts';
import { openView } from './view.ts';

export interface App {
  readonly express: Express;
  close(): void;
}

/**
 * Creates the application. In production, restrict /state, /users and /rebuild to operators.
 * @param now returns milliseconds since the Unix epoch
 */
export function createApp(config: Config, now = Date.now): App {
  const logins = createLogins(config, now);
  const view = openView(config.dataFolder);
  const services = createServices(config, logins);
  const sync = createSync(services, logins, view);
  const app = express();

  app.get('/connect', async (req, res) => {
    const customer = readCustomer(req);
    try {
      await finishConnecting(customer, res);
    } catch (error) {
      if (!(error instanceof LoginNeededError)) throw error;
      const { cookie, url } = await logins.start(customer);
      res.cookie('login', cookie, { httpOnly: true, sameSite: 'lax', secure: config.publicUrl.startsWith('https:') });
      res.redirect(url.href);
    }
  });

  app.get('/callback', async (req, res) => {
    const cookie = /(?:^|; )login=([^;]+)/.exec(req.headers.cookie ?? '')?.[1];
    const customer = await logins.finish(cookie, new URL(req.originalUrl, config.publicUrl));
    await finishConnecting(customer, res.clearCookie('login'));
  });

  async function finishConnecting(customer: Customer, res: Response): Promise<void> {
    const connectionId = await connect(services(customer.accountId), config, customer);
    await sync.readAccount(customer.accountId);
    res.json({ connectionId });
  }

  app.post('/hooks', express.json(), (req, res) => {
    const webhookId = req.get('webhook-id');
    if (!webhookId) throw Object.assign(new Error('The header webhook-id is missing.'), { status: 400 });
    // Store the event before the acknowledgement. If this throws, the response is 500, and the event is sent again.
    view.apply(webhookId, req.body);
    res.status(204).end();
  });

  app.get('/state', (_req, res) => void res.json(view.state()));

  app.get('/users', (_req, res) => {
    const { users, total } = view.state();
    res.json({ total, accounts: Object.fromEntries(Object.entries(users).map(([accountId, ids]) => [accountId, ids.length])) });
  });

  app.post('/rebuild', async (_req, res) => {
    await sync.rebuild();
    res.status(204).end();
  });

  const answerError: ErrorRequestHandler = (error, _req, res, _next) => {
    res.status(getStatus(error)).json({ error: error.error_description ?? error.message, traceId: error.traceId });
  };
  app.use(answerError);

  return {
    express: app,
    close() {
      logins.close();
      view.close();
    },
  };
}

function readCustomer({ query: { account, number } }: Request): Customer {
  if (typeof account !== 'string' || typeof number !== 'string' || !/^\+[1-9]\d{1,14}$/.test(number))
    throw Object.assign(new Error('Give the account id and a telephone number such as +12065550100.'), { status: 400 });
  return { accountId: account, number };
}

function getStatus(error: Error & { status?: number }): number {
  if (error instanceof ServiceError) return error.status === 429 || error.status >= 500 ? 503 : 409;
  if (error instanceof NotAssignableError) return 409;
  if (error instanceof LoginNeededError || error instanceof ClientError || error instanceof AuthorizationResponseError) return 400;
  return error.status ?? 500;
}
