/** Why an SVG file is not accepted. */
export class SvgRejected extends Error {}

export interface XmlElement {
  name: string;
  attributes: Map<string, string>;
  /** Its own text, with references resolved. */
  text: string;
  children: XmlElement[];
}

const MAX_ELEMENTS = 5000;
const MAX_DEPTH = 100;

const declaration =
  /^<\?xml[ \t\r\n]+version=(["'])1\.0\1(?:[ \t\r\n]+encoding=(["'])utf-?8\2)?(?:[ \t\r\n]+standalone=(["'])(?:yes|no)\3)?[ \t\r\n]*\?>/i;
const token =
  /<!--[\s\S]*?-->|<!\[CDATA\[(?<cdata>[\s\S]*?)\]\]>|<\/(?<close>[A-Za-z_][\w:.-]*)[ \t\r\n]*>|<(?<open>[A-Za-z_][\w:.-]*)(?<attributes>(?:[ \t\r\n]+[A-Za-z_:][\w:.-]*[ \t\r\n]*=[ \t\r\n]*(?:"[^"<]*"|'[^'<]*'))*)[ \t\r\n]*(?<empty>\/?)>|(?<text>[^<]+)/y;
const attribute = /([A-Za-z_:][\w:.-]*)[ \t\r\n]*=[ \t\r\n]*(?:"([^"]*)"|'([^']*)')/g;
const reference = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));|&/gi;
const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
// oxlint-disable-next-line no-control-regex -- XML forbids these characters
const illegal = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/;

const reject = (why: string): never => {
  throw new SvgRejected(why);
};

function characterOf(code: number): string {
  const isValid = code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff);
  const character = isValid ? String.fromCodePoint(code) : '\0';
  return illegal.test(character) ? reject('contains an invalid character reference') : character;
}

/** Only the five predefined entities and numbers: others would need a DTD. */
const resolved = (text: string): string =>
  text.replaceAll(
    reference,
    (whole, hex?: string, decimal?: string, name?: string) =>
      (hex === undefined ? undefined : characterOf(Number.parseInt(hex, 16))) ??
      (decimal === undefined ? undefined : characterOf(Number(decimal))) ??
      named[name ?? ''] ??
      reject(`contains the entity ${whole}, which is not predefined`),
  );

function attributesOf(source: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single] of source.matchAll(attribute)) {
    if (attributes.has(name)) reject(`contains the attribute ${name} twice in one element`);
    attributes.set(name, resolved(double ?? single ?? ''));
  }
  return attributes;
}

function refuseUnknown(text: string, at: number): never {
  if (/^<!(?:DOCTYPE|ENTITY)/i.test(text.slice(at, at + 12))) reject('contains a DOCTYPE or an entity');
  if (text.startsWith('<?', at)) reject('contains a processing instruction');
  return reject('is not well-formed XML');
}

/** Adds tokens to a tree; `done` returns its root. */
class Tree {
  private readonly open: XmlElement[] = [];
  private root?: XmlElement;
  private count = 0;

  start(name: string, attributes: Map<string, string>): void {
    this.count += 1;
    if (this.count > MAX_ELEMENTS || this.open.length >= MAX_DEPTH) reject('has too many elements');
    const element = { name, attributes, text: '', children: [] };
    const parent = this.open.at(-1);
    if (parent !== undefined) parent.children.push(element);
    else if (this.root === undefined) this.root = element;
    else reject('is not well-formed XML');
    this.open.push(element);
  }

  end(name?: string): void {
    const element = this.open.pop();
    if (element === undefined || (name !== undefined && element.name !== name))
      reject('is not well-formed XML');
  }

  addText(text: string): void {
    const element = this.open.at(-1);
    if (element !== undefined) element.text += text;
    else if (text.trim() !== '') reject('is not well-formed XML');
  }

  done(): XmlElement {
    return this.open.length === 0 && this.root !== undefined ? this.root : reject('is not well-formed XML');
  }
}

/** Parses a strict subset of XML in UTF-8, without DTD and processing instructions. Throws SvgRejected. */
export function parseXml(source: string): XmlElement {
  const text = source.replace(/^\uFEFF/, '').replace(declaration, '');
  if (illegal.test(text)) reject('contains control characters');
  const tree = new Tree();
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const { groups } = token.exec(text) ?? refuseUnknown(text, at);
    if (groups?.open !== undefined) {
      tree.start(groups.open, attributesOf(groups.attributes ?? ''));
      if (groups.empty === '/') tree.end();
    } else if (groups?.close !== undefined) tree.end(groups.close);
    else if (groups?.cdata !== undefined) tree.addText(groups.cdata);
    else if (groups?.text !== undefined) tree.addText(resolved(groups.text));
  }
  return tree.done();
}
