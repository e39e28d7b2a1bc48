import { parseXml, SvgRejected, type XmlElement } from './xml.js';

const SVG = 'http://www.w3.org/2000/svg';

/** Static drawing only: no script, no foreign content, no animation, no link, no embedded image. */
const elements = new Set(
  `svg g defs symbol use title desc style path rect circle ellipse line polyline polygon text tspan textPath
   linearGradient radialGradient stop clipPath mask pattern marker filter feBlend feColorMatrix feComponentTransfer
   feComposite feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology
   feOffset`.split(/\s+/),
);

/** Expanded elements of all references: nested `use` and patterns multiply. */
const MAX_EXPANDED = 20_000;

/** Nesting and references together; each level is a recursive call here and in a browser. */
const MAX_EXPANDED_DEPTH = 400;

const reject = (why: string): never => {
  throw new SvgRejected(why);
};

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();
const isNamespace = (name: string): boolean => name === 'xmlns' || name.startsWith('xmlns:');

/** An escape could hide any of the forbidden words. */
function checkCss(value: string, isStyle: boolean): void {
  if (value.includes('\\')) reject('contains an escape in a style');
  if (isStyle && value.includes('@')) reject('contains an at-rule, such as @import');
  if (/url\((?!\s*["']?#)|(?:image|image-set|src|cross-fade|expression)\(/i.test(value))
    reject('contains a reference to an external resource');
}

function checkAttribute(name: string, value: string): void {
  const local = localName(name);
  if (name === 'xmlns' && value !== SVG) reject(`contains elements of another namespace: ${value}`);
  if (isNamespace(name)) return;
  if (local.startsWith('on')) reject(`contains the event handler ${name}`);
  if (local === 'href' && !/^#[^\s#]+$/.test(value)) reject('contains a reference to an external resource');
  if (local === 'src' || local === 'base') reject(`contains the attribute ${name}`);
  if (!name.includes(':')) checkCss(value, local === 'style');
}

function checkElement({ name, attributes, text, children }: XmlElement): void {
  if (!elements.has(name))
    reject(`contains the element <${name}>. Export the image as plain SVG with shapes, paths and text only`);
  for (const [each, value] of attributes) checkAttribute(each, value);
  if (name === 'style') checkCss(text, true);
  for (const child of children) checkElement(child);
}

/** Ids that an element refers to, through a link or a style. */
function referencesOf({ name, attributes, text }: XmlElement): string[] {
  const values = [...attributes].filter(([each]) => !isNamespace(each));
  const links = values.filter(([each]) => localName(each) === 'href').map(([, value]) => value.slice(1));
  const styles = [...values.map(([, value]) => value), name === 'style' ? text : ''];
  const urls = styles.flatMap((value) =>
    [...value.matchAll(/url\(\s*["']?#([^"')\s]+)/gi)].map(([, id]) => id),
  );
  return [...links, ...urls].filter((id) => id !== undefined);
}

function byId(element: XmlElement, found = new Map<string, XmlElement>()): Map<string, XmlElement> {
  const id = element.attributes.get('id');
  if (id !== undefined && !found.has(id)) found.set(id, element);
  for (const child of element.children) byId(child, found);
  return found;
}

/** Rejects references that multiply or repeat without end. */
function checkExpansion(root: XmlElement): void {
  const ids = byId(root);
  const sizes = new Map<XmlElement, number | 'pending'>();
  const sizeOf = (element: XmlElement, depth: number): number => {
    const known = sizes.get(element);
    if (known === 'pending') return reject('refers to itself');
    if (known !== undefined) return known;
    if (depth > MAX_EXPANDED_DEPTH) reject('is too complex: its references are nested too deeply');
    sizes.set(element, 'pending');
    const targets = referencesOf(element).flatMap((id) => ids.get(id) ?? []);
    const size = [...element.children, ...targets].reduce((sum, each) => sum + sizeOf(each, depth + 1), 1);
    if (size > MAX_EXPANDED) reject('is too complex: its references expand to too many elements');
    sizes.set(element, size);
    return size;
  };
  sizeOf(root, 1);
}

/** Throws SvgRejected unless the file is a static drawing that refers only to itself. */
export function checkSvg(content: Buffer): void {
  let text = '';
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    reject('is not UTF-8');
  }
  const root = parseXml(text);
  if (root.name !== 'svg' || root.attributes.get('xmlns') !== SVG)
    reject('does not start with an <svg> element of the SVG namespace');
  checkElement(root);
  checkExpansion(root);
}
