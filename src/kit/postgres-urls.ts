const severalHosts = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?@]+,[^/?@]+)((?:[/?].*)?)$/

/** A URL for each server of `postgres://user@one:5432,two:5432/database`, as libpq writes it; else the URL itself. */
export function postgresUrls(url: string): string[] {
  const [, before, hosts, after] = severalHosts.exec(url) ?? []
  if (before === undefined || hosts === undefined) return [url]
  return hosts.split(',').map((host) => `${before}${host}${after}`)
}
