import { type Forms, runProgram } from './library.ts'

const curl = (url: string, token: string, ...options: string[]) =>
  runProgram('curl', ['-sS', '--fail-with-body', '-H', `Authorization: ${token}`, ...options, url])

export const curlForms: Forms = {
  'curl -X POST': (url, token) => curl(url, token, '-X', 'POST'),
  "curl -d ''": (url, token) => curl(url, token, '-d', ''),
}
