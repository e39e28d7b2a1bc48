import type { PostProcessorModule } from 'i18next';

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = [...'áƀçđéƒĝĥíĵķļɱñóþǫŕšţúṽŵẋýžÁƁÇĐÉƑĜĤÍĴĶĻṀÑÓÞǪŔŠŢÚṼŴẊÝŽ'];
const accent = (text: string): string =>
  [...text].map((letter) => accented[plain.indexOf(letter)] ?? letter).join('');

/** A third longer, as German often is. Tags of `<Trans>` stay as they are. */
const lengthen = (text: string): string => text + '·'.repeat(Math.ceil(text.length / 3));

export const pseudo: PostProcessorModule = {
  type: 'postProcessor',
  name: 'pseudo',
  process: (value: string) =>
    lengthen(
      value
        .split(/(<[^>]+>)/)
        .map((part) => (part.startsWith('<') ? part : accent(part)))
        .join(''),
    ),
};
