import { t } from 'i18next';
import { msg } from '../../i18n/index.js';

/** What the service objects to in an image, and the text for people. The first match applies. */
const texts: [RegExp, string][] = [
  [/^the file must be a PNG/, msg('Choose a PNG, SVG, JPEG, WebP or ICO image.')],
  [/^the file is damaged$/, msg('The file is damaged.')],
  [
    /^the image has (?<size>.+) pixels; at most (?<max>.+) are allowed$/,
    msg('The image has {{size}} pixels; at most {{max}} are allowed.'),
  ],
  [
    /^the SVG file contains the element <(?<name>[^>]+)>/,
    msg(
      'The SVG file contains the element <{{name}}>. Export the image as plain SVG with shapes, paths and text only.',
    ),
  ],
  [
    /^the SVG file contains elements of another namespace: (?<name>.+)$/s,
    msg('The SVG file contains elements of another namespace: {{name}}'),
  ],
  [
    /^the SVG file contains the event handler (?<name>\S+)$/,
    msg('The SVG file contains the event handler {{name}}.'),
  ],
  [
    /^the SVG file contains the attribute (?<name>\S+)$/,
    msg('The SVG file contains the attribute {{name}}, which is not allowed.'),
  ],
  [/an external resource$/, msg('The SVG file contains a reference to an external resource.')],
  [
    /an escape in a style$|an at-rule/,
    msg('The SVG file contains a style with an escape or an at-rule, such as @import.'),
  ],
  [
    /DOCTYPE|the entity|processing instruction/,
    msg('The SVG file contains a DOCTYPE, an entity or a processing instruction.'),
  ],
  [/too complex|too many elements|refers to itself/, msg('The SVG file is too complex.')],
  [/^the SVG file /, msg('The file is not a valid SVG image in UTF-8.')],
];

/** Why an image is not accepted, in the portal's language; undefined for an unknown reason. */
export function imageReason(detail: string): string | undefined {
  for (const [pattern, text] of texts) {
    const match = pattern.exec(detail);
    if (match !== null) return t(text, match.groups ?? {});
  }
  return undefined;
}
