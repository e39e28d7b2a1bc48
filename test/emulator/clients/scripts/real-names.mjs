// Connects Microsoft's names to the emulator, as /etc/hosts and port 443 would. Preloaded into each client.
import net from 'node:net';

const names = ['api.powerbi.com', 'app.powerbi.com', 'login.microsoftonline.com', 'login.windows.net'];
const port = Number(process.env.EMULATOR_PORT);
const { prototype } = net.Socket;
const connect = Reflect.get(prototype, 'connect');

prototype.connect = function (...args) {
  const [first] = args;
  const options = Array.isArray(first) ? first[0] : first;
  if (names.includes(options?.host)) Object.assign(options, { host: '127.0.0.1', port });
  else if (options?.host !== '127.0.0.1') throw new Error(`unexpected connection to ${options?.host}`);
  return connect.apply(this, args);
};
