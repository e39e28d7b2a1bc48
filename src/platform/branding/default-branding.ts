export const imageKinds = ['logo', 'logo-dark', 'favicon'] as const;

export type ImageKind = (typeof imageKinds)[number];

/** What applies where nothing is set. The color is the portal's `blue`. */
export const defaultBranding = { productName: 'Vitrine', primaryColor: '#1971c2' } as const;
