import { Box } from '@mantine/core';
import { imageUrl, useBranding } from '../branding/branding.js';

const HEIGHT = 28;
const style = { maxWidth: 140, objectFit: 'contain' } as const;

/** The organization's logo; the product name beside it is its text. */
export function Logo() {
  const { logo, logoDark } = useBranding();
  const light = logo ?? logoDark;
  if (light === null) return <img src={imageUrl('favicon.svg')} width={HEIGHT} height={HEIGHT} alt="" />;
  if (logoDark === null || logoDark === light)
    return <img src={imageUrl(light)} height={HEIGHT} style={style} alt="" />;
  return (
    <>
      <Box component="img" darkHidden src={imageUrl(light)} h={HEIGHT} style={style} alt="" />
      <Box component="img" lightHidden src={imageUrl(logoDark)} h={HEIGHT} style={style} alt="" />
    </>
  );
}
