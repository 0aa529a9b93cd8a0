import { Router } from 'express';
import { createGateFailure } from '../contract/failure.ts';
import { gates } from '../contract/generated/gates.ts';
import { sendFailure } from '../http/problem.ts';
import { selectPathForm, sendDocument } from '../http/published-document.ts';
import { sendPage } from '../oauth/server/page.ts';
import { type HomeFacts, sendHome } from './home.ts';
import { formatProblemPage, type ProblemType } from './problem-page.ts';

export function createDocumentRoutes(home: HomeFacts): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/', (req, res) => sendHome(req, res, home));
  // The documents are large, so each document is loaded on its first request.
  router.get(['/openapi.json', '/openapi.yaml'], async (req, res) => {
    const { searchParams } = new URL(req.url, 'http://kit');
    const form = searchParams.get('form') ?? 'both';
    const openapiVersion = searchParams.get('version') ?? '3.1';
    const refuse = (detail: string) => sendFailure(res, createGateFailure('http.unknown-parameter', detail));
    if (form !== 'both' && form !== 'prefixed' && form !== 'flat') {
      refuse('The query parameter "form" must be prefixed or flat.');
    } else if (openapiVersion !== '3.0' && openapiVersion !== '3.1') {
      refuse('The query parameter "version" must be 3.0 or 3.1.');
    } else {
      const { default: document } = await (openapiVersion === '3.0'
        ? import('../contract/generated/openapi-3.0.json', { with: { type: 'json' } })
        : import('../contract/generated/openapi.json', { with: { type: 'json' } }));
      await sendDocument(req, res, form === 'both' ? document : selectPathForm(document, form), home, ['form', 'version']);
    }
  });
  router.get(['/asyncapi.json', '/asyncapi.yaml'], async (req, res) => {
    await sendDocument(req, res, (await import('../contract/generated/asyncapi.json', { with: { type: 'json' } })).default, home);
  });
  router.get(['/auth/openapi.json', '/auth/openapi.yaml'], async (req, res) => {
    await sendDocument(req, res, (await import('../contract/generated/authorization.json', { with: { type: 'json' } })).default, home);
  });
  router.get('/problems/:id', async (req, res) => {
    const type = await findProblemType(req.params.id);
    if (!type) {
      sendFailure(res, createGateFailure('http.unknown-route', 'There is no problem type with this id.'));
      return;
    }
    if (req.accepts(['json', 'html']) === 'html') sendPage(res, 200, formatProblemPage(type));
    else res.json(type);
  });
  return router;
}

async function findProblemType(id: string): Promise<ProblemType | undefined> {
  if (Object.hasOwn(gates, id)) {
    const { status, text } = gates[id as keyof typeof gates];
    // The status of an `http.injected-fault` problem differs from fault to fault, so the page shows none.
    return { id, kind: 'gate', text, ...(id !== 'http.injected-fault' && { status: String(status) }) };
  }
  const { rules } = await import('../contract/generated/rules-table.ts');
  if (Object.hasOwn(rules, id)) {
    const { text, level, section, operations, status } = rules[id as keyof typeof rules];
    return { id, kind: 'rule', text, level, section, ...(operations && { operations }), ...(status && { status }) };
  }
  const { decisions } = await import('../contract/generated/decisions-table.ts');
  if (!Object.hasOwn(decisions, id)) return undefined;
  const { question, section, default: standard, alternatives, means } = decisions[id as keyof typeof decisions];
  return {
    id,
    kind: 'decision',
    text: question,
    section,
    default: standard,
    ...(alternatives && { alternatives }),
    ...(means && { means }),
  };
}
