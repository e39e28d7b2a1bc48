import { expect } from '@jest/globals';
import { differenceOfJson, differenceOfText } from './compare-output.js';
import type { Block, Document } from './documents.js';
import type { Ran } from './shell.js';

export const isShell = ({ language }: Block): boolean => language === 'sh';
export const isRun = (block: Block): boolean => isShell(block) && !block.info.startsWith('not-run: ');

/** A failure that the annotation announces: `refused` for a status of 400 or more, `ends with 1` for an exit code. */
export function announcedFailure({ info }: Block): string | undefined {
  if (info === '') return undefined;
  return info === 'refused' ? '22' : /^ends with (\d+)$/.exec(info)?.[1];
}

/** The output that a document shows after a command. */
function answerTo({ blocks }: Document, block: Block): Block | undefined {
  const next = blocks[blocks.indexOf(block) + 1];
  return next?.info === 'answer' ? next : undefined;
}

/** Checks the result and the output of a block against the document. */
export function expectAsWritten(document: Document, block: Block, ran: Ran | undefined): void {
  const status = announcedFailure(block);
  const { failures, stdout, stderr } = ran ?? {
    failures: ['the shell did not get here'],
    stdout: '',
    stderr: '',
  };
  const isAnnounced = (failure: string): boolean => failure.startsWith(`${status}: `);
  const said = `${stdout.slice(-1000)}${stderr.slice(-1000)}`;
  const unexpected = failures.filter((failure) => !isAnnounced(failure));
  const fails = failures.some(isAnnounced);
  expect({ unexpected, fails, said }).toEqual({ unexpected: [], fails: status !== undefined, said });
  const response = answerTo(document, block);
  if (response === undefined) return;
  const difference =
    response.language === 'json'
      ? differenceOfJson(JSON.parse(response.text), JSON.parse(stdout))
      : differenceOfText(response.text, stdout);
  expect({ difference, said }).toEqual({ difference: undefined, said });
}
