import { readFile } from 'node:fs/promises';
import express, { type Response, Router } from 'express';
import { createGateFailure } from '../contract/failure.ts';
import { refuseOtherMethods } from '../http/errors.ts';
import { sendFailure } from '../http/problem.ts';
import { resolvePackageFile } from '../world/package-files.ts';

/** Nothing from elsewhere, and no inline scripts or styles. A page of another origin cannot frame the console. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const HEADERS = {
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/**
 * The empty page in which the console shows a report. It has no origin and no network, only the console can frame it, and it shows the
 * first message that the console sends.
 */
const FRAME_POLICY =
  "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
const FRAME = `<!doctype html><meta charset="utf-8"><title>Report</title><script>
addEventListener('message', ({ source, data }) => {
  if (source !== parent || parent === window || typeof data !== 'string') return;
  document.open();
  document.write(data);
  document.close();
}, { once: true });
</script>
`;

/** Serves the files of the console that `npm run build` has written. The page selects what it shows, so every other path returns the page. */
export function consoleRoutes(): Router {
  const folder = resolvePackageFile('dist/console');
  const router = Router({ caseSensitive: true, strict: true });
  router.use((_, res, next) => {
    res.set(HEADERS);
    next();
  });
  // The names of the assets contain a hash of their content.
  router.use('/assets', express.static(`${folder}/assets`, { index: false, redirect: false, immutable: true, maxAge: '1y' }));
  router.get('/assets/{*name}', (_, res) => notFound(res, 'The console has no such file. Reload the page.'));
  router.get('/report-frame', (_, res) => {
    res.removeHeader('X-Frame-Options');
    res.set({ 'Content-Security-Policy': FRAME_POLICY, 'Cache-Control': 'no-cache' }).type('html').send(FRAME);
  });
  router.get('/{*path}', async (req, res) => {
    // The console works below any path, so all addresses are relative. Without a slash at the end, they would lead to another folder.
    if (req.originalUrl.split('?', 1)[0] === req.baseUrl) return res.redirect(308, './_console/');
    const html = await readFile(`${folder}/index.html`, 'utf8').catch(() => undefined);
    if (html === undefined) return notFound(res, 'The console has not been built. Run: npm run build');
    const depth = req.path.split('/').length - 2;
    res
      .set('Cache-Control', 'no-cache')
      .type('html')
      .send(html.replaceAll('"./', `"${'../'.repeat(depth) || './'}`));
  });
  router.all('/{*path}', refuseOtherMethods(['GET']));
  return router;
}

function notFound(res: Response, detail: string): void {
  sendFailure(res, createGateFailure('http.unknown-route', detail));
}
