/**
 * The paths in a lockfile that `npm ci --omit=dev --workspaces=false` installs: what the root package needs in production.
 * The `dev` flag alone would add what only a package of `packages/` needs.
 *
 * @param {Record<string, any>} packages `packages` of package-lock.json
 * @returns {string[]} such as `node_modules/pg`, sorted
 */
export function productionPackages(packages) {
  const found = new Set();
  const resolve = (from, name) => {
    for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
      const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
      if (packages[path] !== undefined || folder === '') return path;
      if (!folder.includes('/node_modules/')) folder = '';
    }
  };
  const add = (from) => {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[from];
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => !peerDependenciesMeta?.[name]?.optional,
    );
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const path = resolve(from, name);
      if (packages[path] === undefined || found.has(path)) continue;
      found.add(path);
      add(path);
    }
  };
  add('');
  return [...found].toSorted((one, other) => one.localeCompare(other));
}
