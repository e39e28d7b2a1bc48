/** How the organization appears. Images are relative to the path of the portal. */
export interface Branding {
  productName: string;
  /** `#rrggbb` */
  primaryColor: string;
  signInText: string | null;
  /** `https:` or `mailto:` */
  supportUrl: string | null;
  logo: string | null;
  /** For dark mode; null: `logo`. */
  logoDark: string | null;
  favicon: string | null;
}

/** Portal defaults, as in the service. */
const defaultBranding: Branding = {
  productName: 'Vitrine',
  primaryColor: '#1971c2',
  signInText: null,
  supportUrl: null,
  logo: null,
  logoDark: null,
  favicon: null,
};

/** What the service tells its portal in the page itself (`src/portal/`). */
export interface Settings {
  passwordSignIn: boolean;
  identityProvider: boolean;
  mailConfigured: boolean;
  publicUrl: string;
  /** Whether usage figures contain generated data. */
  hasDemoUsage: boolean;
  /** Whether those who cannot manage a workspace see the figures of its reports. */
  isUsageVisibleToViewers: boolean;
  /** IANA name of the time zone of their days. */
  usageTimeZone: string;
  branding: Branding;
}

const served = document.getElementById('vitrine-settings')?.textContent.trim() ?? '';

/** Pages that Vite serves to a developer carry no settings: everything is on there. */
export const settings: Settings = served.startsWith('{')
  ? (JSON.parse(served) as Settings)
  : {
      passwordSignIn: true,
      identityProvider: true,
      mailConfigured: true,
      publicUrl: location.origin,
      hasDemoUsage: false,
      isUsageVisibleToViewers: true,
      usageTimeZone: 'UTC',
      branding: defaultBranding,
    };

/** The path that the portal is served under, without a trailing slash. */
export const basePath = new URL(document.baseURI).pathname.replace(/\/+$/, '');

/** The nonce of this page's policy, for styles that are made while it runs. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// What keeps the page from scrolling behind a dialog (react-remove-scroll) looks for it there.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
