// A proxy in a child process that reports the most memory that the process has had so far, in bytes.
import { createKit } from '../kit.ts';

const proxy = await createKit({ port: 0, upstream: { api: process.argv[2]! } });
process.on('message', () => process.send!(process.resourceUsage().maxRSS * 1024));
process.on('disconnect', () => process.exit());
process.send!(proxy.url);
