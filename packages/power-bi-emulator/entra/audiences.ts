/** Power BI in Microsoft's clouds, as tokens name it. */
export const audiences = [
  'https://analysis.windows.net/powerbi/api',
  'https://analysis.usgovcloudapi.net/powerbi/api',
  'https://high.analysis.usgovcloudapi.net/powerbi/api',
  'https://mil.analysis.usgovcloudapi.net/powerbi/api',
  'https://analysis.chinacloudapi.cn/powerbi/api',
];

/** The audience that a v2 scope asks for. */
export function audienceOfScope(scope: string | undefined): string | undefined {
  return audiences.find((each) => scope?.split(' ').includes(`${each}/.default`));
}

/** The audience that a v1 resource, or a managed identity's, asks for. */
export function audienceOfResource(resource: unknown): string | undefined {
  return audiences.find((each) => each === String(resource).replace(/\/$/, ''));
}
