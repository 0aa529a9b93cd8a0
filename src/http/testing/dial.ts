import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Opens a raw connection. `until` resolves with all received text when it matches the pattern. */
export async function dial(port: number): Promise<{ socket: Socket; until(pattern: RegExp): Promise<string> }> {
  const socket = connect({ port, host: '127.0.0.1' }).setEncoding('latin1');
  let text = '';
  socket.on('data', (more: string) => {
    text += more;
  });
  await once(socket, 'connect');
  const until = async (pattern: RegExp) => {
    while (!pattern.test(text)) await once(socket, 'data');
    return text;
  };
  return { socket, until };
}
