import { requestText } from '../load/request.ts';
import { askOnce, sameBytes } from '../once.ts';
import { compare } from '../rounds.ts';
import { startExpress, startKit, startPrism } from '../server.ts';
import { EXPERIENCE, NUMBER } from '../world.ts';
import type { Scenario } from './scenario.ts';

/** So many that none comes near its 100 checks a second, at any speed that a core reaches. */
const CLIENTS = 2000;

/** The assignability check of a number, with tokens that were seen before. */
export const assignability: Scenario = async (options, say) => {
  const kit = await startKit({ clients: CLIENTS });
  const path = `/experience/experiences/${EXPERIENCE}/assignability?targetType=PHONE_NUMBER&targetValue=${encodeURIComponent(NUMBER)}`;
  const [token] = kit.tokens;
  const express = await startExpress({ assignability: await askOnce(kit.port, { path, token }) });
  const prism = await startPrism();
  try {
    await sameBytes([kit.port, express.port], { path, token });
    const requests = kit.tokens.map((each) => requestText({ path, token: each }));
    const job = () => ({ expect: 200, requests });
    const { faster, absolutes } = await compare(
      [
        { name: 'kit', server: kit, job },
        { name: 'bare Express', server: express, job },
        { name: 'Prism', server: prism, job },
      ],
      options,
      say,
    );
    return {
      rows: [
        {
          what: 'assignability check',
          against: 'bare Express',
          unit: 'x',
          figures: faster('kit', 'bare Express'),
          target: { atLeast: 0.45 },
        },
        { what: 'assignability check', against: 'Prism', unit: 'x', figures: faster('kit', 'Prism'), target: { atLeast: 2.5 } },
      ],
      absolutes,
    };
  } finally {
    await Promise.all([kit.stop(), express.stop(), prism.stop()]);
  }
};
