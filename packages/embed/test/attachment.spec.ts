import { describe, expect, test } from '@jest/globals';
import type { EmbedToken } from '../src/types.js';
import { FakeReport } from './fake-report.js';
import { settled } from './fake-environment.js';
import { cutOff, gives, stage } from './stage.js';

async function embedded(life: Partial<EmbedToken> = { refresh_in: 100 }) {
  const staged = stage([gives(life)]);
  const { kept, heard } = await staged.keep();
  const report = new FakeReport((await kept.token()).token);
  const detach = kept.attach(report);
  await settled();
  return { ...staged, kept, heard, report, detach };
}

describe('a report of powerbi-client', () => {
  test('is handed each new token, and is not loaded again', async () => {
    const { world, heard, report } = await embedded();
    expect(report.given).toEqual([]);
    await world.pass(201);
    expect(report.given).toEqual(heard.tokens.slice(1).map(({ token }) => token));
    expect(report.given).toHaveLength(2);
    expect(report.reloads).toBe(0);
  });

  test('gets what was renewed while it was being embedded', async () => {
    const { kept, heard } = await embedded();
    const report = new FakeReport('one of before');
    kept.attach(report);
    await settled();
    expect(report.given).toEqual([heard.tokens[0]?.token]);
    report.config.accessToken = 'lost: the frame did not listen yet';
    await report.raise('loaded');
    expect(report.given).toHaveLength(2);
  });

  test('whose token ran out gets a new one at once and is loaded again', async () => {
    const { world, calls, report } = await embedded();
    await world.pass(60);
    await report.raise('error', 'TokenExpired');
    expect(calls).toHaveLength(2);
    expect(report.given).toHaveLength(1);
    expect(report.reloads).toBe(1);
    await world.pass(101);
    expect([report.given.length, report.reloads]).toEqual([2, 1]);
  });

  test('whose token ran out while the next was on its way is loaded again with that', async () => {
    const { world, calls, report } = await embedded();
    await world.pass(101);
    await report.raise('error', 'TokenExpired');
    expect([calls.length, report.reloads]).toEqual([2, 1]);
  });

  test('whose token ran out while nobody answered is loaded again when somebody does', async () => {
    const { world, report, answerWith } = await embedded({ expires_in: 9, refresh_in: 6 });
    answerWith(cutOff);
    await world.pass(9);
    await report.raise('error', 'TokenExpired');
    await world.pass(60);
    answerWith(gives());
    await world.wake();
    expect([report.given.length, report.reloads]).toEqual([1, 1]);
  });

  test('that takes no token at all is not answered without end', async () => {
    const { world, calls, report } = await embedded();
    await world.pass(60);
    for (let times = 0; times < 5; times += 1) await report.raise('error', 'TokenExpired');
    expect(calls).toHaveLength(2);
    expect(report.reloads).toBe(2);
  });

  test('that has other errors keeps its token', async () => {
    const { world, calls, report } = await embedded();
    await world.pass(60);
    await report.raise('error', 'LoadReportFailed');
    report.element.dispatchEvent(new Event('error'));
    await settled();
    expect([calls.length, report.reloads]).toEqual([1, 0]);
  });

  test('that is gone does not keep the others from theirs', async () => {
    const { world, kept, heard, report } = await embedded();
    const other = new FakeReport(heard.tokens[0]!.token);
    kept.attach(other);
    report.isThere = false;
    await world.pass(101);
    expect(other.given).toHaveLength(1);
  });

  test('attached again, or embedded anew in the same place, is handed it once', async () => {
    const { world, kept, heard, report, detach } = await embedded();
    kept.attach(report);
    const anew = Object.assign(new FakeReport(heard.tokens[0]!.token), { element: report.element });
    kept.attach(anew);
    detach();
    await world.pass(101);
    expect([report.given.length, anew.given.length]).toEqual([0, 1]);
    await anew.raise('error', 'TokenExpired');
    expect([report.reloads, anew.reloads]).toEqual([0, 1]);
  });

  test('is left alone once it was detached, or all was stopped', async () => {
    const { world, kept, heard, report, detach } = await embedded();
    const other = new FakeReport(heard.tokens[0]!.token);
    kept.attach(other);
    detach();
    await world.pass(101);
    kept.stop();
    await other.raise('error', 'TokenExpired');
    await report.raise('error', 'TokenExpired');
    expect([report.given.length, other.given.length, other.reloads]).toEqual([0, 1, 0]);
  });
});
