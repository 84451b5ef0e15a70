/** Typed by a person before a verb: npm's script if npm runs this process, else the command that a release installs. */
export const command = process.env.npm_lifecycle_event === undefined ? 'ramal' : 'npm run ramal --'
