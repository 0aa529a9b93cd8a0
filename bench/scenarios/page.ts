import { requestText } from '../load/request.ts';
import { askOnce, pageRequests, sameBytes } from '../once.ts';
import { compare } from '../rounds.ts';
import { startExpress, startKit, startPrism } from '../server.ts';
import { ACCOUNT } from '../world.ts';
import type { Scenario } from './scenario.ts';

const ROWS = 100_000;
const PAGES = 500;

/** Pages of 100 assignments from all over an account. Prism answers its example, a page of one. */
export const page: Scenario = async (options, say) => {
  const kit = await startKit({ clients: 1, assignments: ROWS });
  const path = `/experience/assignments?accountId=${ACCOUNT}&pageSize=100`;
  const token = kit.tokens[0]!;
  const express = await startExpress({ page: await askOnce(kit.port, { path, token }) });
  const prism = await startPrism();
  try {
    await sameBytes([kit.port, express.port], { path, token });
    const pages = await pageRequests(kit.port, path, token, PAGES);
    const first = [requestText({ path, token })];
    const { faster, absolutes } = await compare(
      [
        { name: 'kit', server: kit, job: () => ({ expect: 200, requests: pages }) },
        { name: 'bare Express', server: express, job: () => ({ expect: 200, requests: first }) },
        { name: 'Prism', server: prism, job: () => ({ expect: 200, requests: first }) },
      ],
      options,
      say,
    );
    const what = 'page of 100 of 100,000';
    return {
      rows: [
        { what, against: 'bare Express', unit: 'x', figures: faster('kit', 'bare Express'), target: { atLeast: 0.35 } },
        { what, against: 'Prism (a page of 1)', unit: 'x', figures: faster('kit', 'Prism') },
      ],
      absolutes,
    };
  } finally {
    await Promise.all([kit.stop(), express.stop(), prism.stop()]);
  }
};
