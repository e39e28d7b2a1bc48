import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { eventTypeNames } from '../../src/events/outbox/event-types.js';
import { schemaErrors, webhookSchemas } from '../support/openapi-operations.js';

test('the messages in docs/webhooks.md match their schema in openapi.json', () => {
  const messages =
    readFileSync('docs/webhooks.md', 'utf8').match(/^\{"type":"[\w.]+","timestamp":.*\}$/gm) ?? [];
  expect(messages).not.toEqual([]);
  for (const message of messages) {
    const { type } = JSON.parse(message) as { type: string };
    expect(schemaErrors(webhookSchemas[type] ?? {}, JSON.parse(message))).toBeNull();
  }
});

test('openapi.json describes each message of a webhook', () => {
  expect(Object.keys(webhookSchemas).toSorted()).toEqual([...eventTypeNames, 'webhook.ping'].toSorted());
});
