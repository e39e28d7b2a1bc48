import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { etagOf } from '../common/json-answer.js';
import type { Principal } from '../common/principal.js';
import { Config } from '../config/config.js';
import { type View, Views } from '../workspaces/views.service.js';

export interface Answer {
  body: string;
  etag: string;
  /** Where the next page is. */
  link?: string;
  /** Template of the route that made it. */
  route: string;
}

const MEGABYTE = 1024 * 1024;
/** An entry is more than its characters. */
const OVERHEAD = 300;

/** In memory: one for each character, two where a single one is not of Latin-1. */
const bytesOf = (text: string): number => (/[^\0-\xff]/.test(text) ? 2 : 1) * text.length;

/** Answers as they were written, by what their caller may see and by address, within bounded memory. */
@Injectable()
export class RememberedAnswers {
  private readonly answers?: LRUCache<string, Answer>;

  constructor(
    private readonly views: Views,
    { bounds: { answerMegabytes } }: Config,
  ) {
    if (answerMegabytes === 0) return;
    this.answers = new LRUCache({
      maxSize: answerMegabytes * MEGABYTE,
      maxEntrySize: MEGABYTE,
      sizeCalculation: ({ body }, name) => OVERHEAD + name.length + bytesOf(body),
    });
  }

  /** Undefined when it has to be made. */
  find(caller: Principal, url: string): Answer | undefined {
    const view = this.views.known(caller);
    return view && this.answers?.get(nameOf(view, url));
  }

  /** To be asked before the answer is made; undefined when it is not going to be remembered. */
  async prepare(caller: Principal): Promise<View | undefined> {
    return this.answers && this.views.of(caller);
  }

  /** Keeps it, unless something has changed since `prepare`. */
  keep(view: View, url: string, made: Omit<Answer, 'etag'>): Answer {
    const answer = { ...made, etag: etagOf(made.body) };
    if (this.views.isCurrent(view)) this.answers?.set(nameOf(view, url), answer);
    return answer;
  }
}

const nameOf = ({ id }: View, url: string): string => `${id} ${url}`;
