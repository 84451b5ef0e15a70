/** The changelog as a part of a page: its versions, without its title and the links to files of the repository. */

export function changelogPart(changelog: string): string {
  const [, ...versions] = changelog.split(/^(?=## )/m)
  return versions.join('').replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
}
