/** Token audiences of Power BI in Microsoft's clouds. */
export const audiences = [
  'https://analysis.windows.net/powerbi/api',
  'https://analysis.usgovcloudapi.net/powerbi/api',
  'https://high.analysis.usgovcloudapi.net/powerbi/api',
  'https://mil.analysis.usgovcloudapi.net/powerbi/api',
  'https://analysis.chinacloudapi.cn/powerbi/api',
];

/** The audience of a v2 scope; undefined when it is unknown. */
export function audienceOfScope(scope: string | undefined): string | undefined {
  return audiences.find((each) => scope?.split(' ').includes(`${each}/.default`));
}

/** The audience of a v1 or managed identity resource; undefined when it is unknown. */
export function audienceOfResource(resource: unknown): string | undefined {
  return audiences.find((each) => each === String(resource).replace(/\/$/, ''));
}
