import type { AddressInfo } from 'node:net';
import { server } from '../foreign-server.ts';
import { besides, type GoldenTarget } from '../target.ts';

const target: GoldenTarget = {
  is: 'a server of twenty lines, which has nothing but a list of users',
  stateless: true,
  async open() {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      profile: besides('foreign-server', 'profile.yaml'),
      async close() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  },
};
export default target;
