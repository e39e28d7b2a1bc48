import { Text } from '@mantine/core';
import { Link } from 'react-router';
import { useBranding } from '../branding/branding.js';
import { Logo } from './logo.js';

/** Logo and name of the product. */
export function Brand() {
  const { productName } = useBranding();
  return (
    <span className="brand">
      <Logo />
      <Text span fw={600} truncate title={productName}>
        {productName}
      </Text>
    </span>
  );
}

/** The same, as the link to the home page. */
export const BrandLink = () => (
  <Link to="/" className="brand-link">
    <Brand />
  </Link>
);
