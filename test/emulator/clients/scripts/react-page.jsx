import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { PowerBIEmbed } from 'powerbi-client-react';

globalThis.events = [];
globalThis.show = (config) => {
  const record = (name) => [name, () => globalThis.events.push(name)];
  const eventHandlers = new Map(['loaded', 'rendered', 'error'].map(record));
  const embedConfig = { type: 'report', tokenType: 1, ...config };
  createRoot(document.getElementById('root')).render(
    createElement(PowerBIEmbed, { embedConfig, eventHandlers, cssClassName: 'report' }),
  );
};
