import { readFile } from 'node:fs/promises';
import express, { type Response, Router } from 'express';
import { createGateFailure } from '../contract/failure.ts';
import { refuseOtherMethods } from '../http/errors.ts';
import { sendFailure } from '../http/problem.ts';
import { resolvePackageFile } from '../world/package-files.ts';

/** Forbids inline scripts, inline styles, resources of other origins, and framing. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const PAGE_HEADERS = {
  'Content-Security-Policy': PAGE_POLICY,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** The policy for a report's page: no origin, no network, and only the console can frame it. */
const FRAME_POLICY =
  "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
const FRAME_PAGE = `<!doctype html><meta charset="utf-8"><title>Report</title><script>
addEventListener('message', ({ source, data }) => {
  if (source !== parent || parent === window || typeof data !== 'string') return;
  document.open();
  document.write(data);
  document.close();
}, { once: true });
</script>
`;

/** Serves the console files from `npm run build`. Other paths return the console page. */
export function createConsoleRoutes(): Router {
  const folder = resolvePackageFile('dist/console');
  const router = Router({ caseSensitive: true, strict: true });
  router.use((_, res, next) => {
    res.set(PAGE_HEADERS);
    next();
  });
  // Assets can be cached forever, because their names contain a hash.
  router.use('/assets', express.static(`${folder}/assets`, { index: false, redirect: false, immutable: true, maxAge: '1y' }));
  router.get('/assets/{*name}', (_, res) => sendNotFound(res, 'The console has no such file. Reload the page.'));
  router.get('/report-frame', (_, res) => {
    res.removeHeader('X-Frame-Options');
    res.set({ 'Content-Security-Policy': FRAME_POLICY, 'Cache-Control': 'no-cache' }).type('html').send(FRAME_PAGE);
  });
  router.get('/{*path}', async (req, res) => {
    // All console URLs are relative, so the page needs a trailing slash.
    if (req.originalUrl.split('?', 1)[0] === req.baseUrl) return res.redirect(308, './_console/');
    const html = await readFile(`${folder}/index.html`, 'utf8').catch(() => undefined);
    if (html === undefined) return sendNotFound(res, 'The console has not been built. Run: npm run build');
    const depth = req.path.split('/').length - 2;
    res
      .set('Cache-Control', 'no-cache')
      .type('html')
      .send(html.replaceAll('"./', `"${'../'.repeat(depth) || './'}`));
  });
  router.all('/{*path}', refuseOtherMethods(['GET']));
  return router;
}

function sendNotFound(res: Response, detail: string): void {
  sendFailure(res, createGateFailure('http.unknown-route', detail));
}
