// Starts a kit and the application with two customers, and runs a shell command with their URLs in the environment:
// node test/with-app.ts 'curl $APP_URL/users && xpk deliveries'
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CUSTOMERS, startApp, startKit } from './start-app.ts';

await using kit = await startKit();
const app = await startApp(kit, kit.clock.now);
for (const [account, number] of CUSTOMERS) await app.connect(account, number);
const env = { ...process.env, XPK_URL: kit.url, APP_URL: app.url };
const command = spawn(process.argv.slice(2).join(' '), { shell: true, stdio: 'inherit', env });
[process.exitCode] = await once(command, 'close');
app.close();
