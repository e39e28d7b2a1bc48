import { Anchor, Breadcrumbs } from '@mantine/core';
import { Link } from 'react-router';
import { t } from 'i18next';

interface Props {
  /** From the top down, without the page itself. */
  steps: { to: string; label: string }[];
}

/** The pages above the current one. */
export const WayBack = ({ steps }: Props) => (
  <Breadcrumbs
    component="nav"
    className="way-back"
    aria-label={t('Breadcrumb')}
    separator="›"
    separatorMargin={6}
  >
    {steps.map(({ to, label }) => (
      <Anchor key={to} component={Link} to={to} size="sm" title={label}>
        {label}
      </Anchor>
    ))}
  </Breadcrumbs>
);
