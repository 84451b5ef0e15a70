/**
 * D323: the look of the console for pages that the server writes itself: its own colours and elements, in both themes,
 * so that a change there is a change everywhere.
 */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const read = (file: string) => readFileSync(new URL(`../../../console/${file}`, import.meta.url), 'utf8')

function compact(css: string): string {
  return css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Before the rules of a page. */
export const sharedStyle = ['look/ink.css', 'look/base.css'].map((file) => compact(read(file))).join('\n')

/** The name of the service stands beside it. */
export const logo = read('public/icon.svg')
  .trim()
  .replace(/<title>.*<\/title>/, '')
  .replace('<svg ', '<svg aria-hidden="true" ')

/** Allows this text, as a style or a script within the page, in a content security policy. */
export const digestOf = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`
