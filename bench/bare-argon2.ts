import { hash, verify } from '@node-rs/argon2';
import { argon2Floor } from '../src/users/argon2-hash.js';

/** Verifies a password with the given concurrency for the given seconds; prints the rate per second. */
const [atOnce = 1, seconds = 1] = process.argv.slice(2).map(Number);
const password = 'a password for one benchmark';
const stored = await hash(password, argon2Floor);
const end = performance.now() + seconds * 1000;
let done = 0;

async function one(): Promise<void> {
  while (performance.now() < end) {
    if (!(await verify(stored, password))) throw new Error('It is the right one');
    if (performance.now() < end) done += 1;
  }
}

await Promise.all(Array.from({ length: atOnce }, one));
console.log(done / seconds);
