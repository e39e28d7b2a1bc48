import { Anchor, Breadcrumbs } from '@mantine/core';
import { Link } from 'react-router';

interface Props {
  /** From the top down, without the page itself. */
  steps: { to: string; label: string }[];
}

/** Where a page lies. */
export const WayBack = ({ steps }: Props) => (
  <Breadcrumbs
    component="nav"
    className="way-back"
    aria-label="Where you are"
    separator="›"
    separatorMargin={6}
  >
    {steps.map(({ to, label }) => (
      <Anchor key={to} component={Link} to={to} size="sm">
        {label}
      </Anchor>
    ))}
  </Breadcrumbs>
);
