import { createApp } from './app.ts';
import { readConfig } from './config.ts';

const config = readConfig(process.env);
const app = createApp(config);
const server = app.express.listen(Number(process.env.PORT ?? 3000), (error) => {
  if (error) throw error;
  console.log(`Customers start at ${config.publicUrl}/connect?account=…&number=…`);
});
process.once('SIGTERM', () => server.close(() => app.close()));
