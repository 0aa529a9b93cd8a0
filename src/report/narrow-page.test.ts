import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launchChromium } from '../oauth/server/testing/chromium.ts';
import { formatHtmlReport } from './html.ts';
import { createRunView } from './run-view.ts';
import {
  createFinding,
  createSmallResults,
  DOCUMENTED_RULE,
  hostileFailure,
  ONE_PATH_RULE,
  passedFindings,
} from './testing/small-results.ts';

const LONG = 'x'.repeat(300);

test('in a browser window 390 pixels wide, the HTML report is not cut off', async () => {
  const results = createSmallResults(
    [
      ...passedFindings,
      createFinding(DOCUMENTED_RULE, 'flat', 'failed', {
        failure: { ...hostileFailure.failure!, message: `Expected 400.\n${LONG}`, curl: `curl https://api.example.com/${LONG}` },
        timeline: [{ at: '2026-01-02T03:04:05.100Z', by: 'service', text: `sends ${LONG}`, request: { LONG } }],
      }),
      createFinding(ONE_PATH_RULE, 'prefixed', 'not-testable', { missing: ['experiences.unconnected'] }),
    ],
    { observations: [{ decision: 'assignments.create.duplicate', value: 409, forms: ['flat'] }], leftovers: [LONG] },
  );
  await using chromium = await launchChromium();
  const page = await chromium.newPage({ viewport: { width: 390, height: 844 } });
  await page.setContent(formatHtmlReport(createRunView(results, { failureReasons: ['documented rules failed: 1'] })));
  // A string, because the project's types do not include the DOM.
  const cutOff = await page.evaluate(`
    for (const details of document.querySelectorAll('details')) details.open = true;
    [...document.querySelectorAll('body *')]
      .filter((each) => each.getBoundingClientRect().right > 390).map((each) => each.outerHTML.slice(0, 100));
  `);
  assert.deepEqual(cutOff, []);
});
