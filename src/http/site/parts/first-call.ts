/** The first call by a client: the block of its README, which a test runs. */

export function firstCallPart(readme: string): string {
  const [, language = '', code] = /^```(\w+) first call\n([\s\S]+?)^```$/m.exec(readme) ?? []
  if (code === undefined) throw new Error('The README of a client has no first call')
  return `\`\`\`${language}\n${code}\`\`\``
}
