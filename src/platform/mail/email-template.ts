import { Eta } from 'eta';
import type { Locale } from '../../core/locales.js';

const eta = new Eta({ autoEscape: true, autoTrim: false });

const html = eta.compile(`<!doctype html>
<html lang="<%= it.language %>">
  <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no"><title><%= it.heading %></title></head>
  <body style="margin:0;padding:24px;background:#f4f5f7;font-family:Segoe UI,Helvetica,Arial,sans-serif;color:#1b1f24">
    <div style="max-width:520px;margin:0 auto 12px;font-weight:600"><% if (it.brand.logo) { %><img src="cid:<%= it.brand.logo.cid %>" alt="<%= it.brand.productName %>" height="32" style="display:block;height:32px;max-width:240px"><% } else { %><%= it.brand.productName %><% } %></div>
    <div style="max-width:520px;margin:0 auto;padding:32px;background:#fff;border-radius:8px">
      <h1 style="margin:0 0 16px;font-size:20px"><%= it.heading %></h1>
      <% it.paragraphs.forEach((paragraph) => { %><p style="line-height:1.5"><%= paragraph %></p><% }) %>
      <% if (it.list) { %><p style="margin-bottom:4px;line-height:1.5"><%= it.list.title %></p>
      <ul style="margin-top:0;padding-left:20px;line-height:1.5"><% it.list.items.forEach((item) => { %><li style="overflow-wrap:anywhere"><%= item %></li><% }) %></ul><% } %>
      <p style="margin:24px 0">
        <a href="<%= it.link %>" style="padding:12px 20px;border-radius:6px;background:<%= it.brand.color %>;color:#fff;text-decoration:none"><%= it.action %></a>
      </p>
      <p style="line-height:1.5;color:#59636e;font-size:13px"><%= it.closing %></p>
    </div>
  </body>
</html>
`);

export interface EmailContent {
  subject: string;
  paragraphs: string[];
  /** After the paragraphs. */
  list?: { title: string; items: string[] } | undefined;
  /** Label of the button that opens `link`. */
  action: string;
  link: string;
  closing: string;
}

/** How the organization appears in an email. */
interface EmailBrand {
  productName: string;
  color: string;
  /** The attached logo; the product name is shown without one. */
  logo: { cid: string } | undefined;
}

/** Treated as white space by mail clients, and hardly visible. */
const HAIR_SPACE = '\u200A';

/**
 * Mail clients turn hosts, addresses and schemes in running text into links; a space after each separator prevents
 * this.
 */
const unlinked = (text: string): string =>
  text.replaceAll(/(?:[.:\\@\u3002\uFF0E\uFF1A\uFF20\uFF61](?=\S)|\/(?=\/))/g, `$&${HAIR_SPACE}`);

/** Renders an email as HTML, with all values escaped, and as plain text. `link` is the only link in either. */
export function renderEmail(
  letter: EmailContent,
  language: Locale,
  brand: EmailBrand,
): { subject: string; html: string; text: string } {
  const { subject, link } = letter;
  const heading = unlinked(subject);
  const closing = unlinked(letter.closing);
  const paragraphs = letter.paragraphs.map(unlinked);
  const list = letter.list && { title: letter.list.title, items: letter.list.items.map(unlinked) };
  const listText = list && [list.title, ...list.items.map((item) => `- ${item}`)].join('\n');
  const shown = { ...brand, productName: unlinked(brand.productName) };
  return {
    subject,
    html: eta.render(html, { ...letter, language, heading, paragraphs, list, closing, brand: shown }),
    text: [...paragraphs, ...(listText ? [listText] : []), link, closing].join('\n\n'),
  };
}
