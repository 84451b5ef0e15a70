import { type Forms, fileBeside, runProgram } from './library.ts'

/** That of the system, for which the packages are installed. */
const interpreter = '/usr/bin/python3'

const python = (form: string) => (url: string, token: string) =>
  runProgram(interpreter, [fileBeside('post.py'), form, url, token])

export const pythonForms: Forms = {
  "urllib urlopen(Request(url, data=b''))": python('urllib'),
  'requests.post(url)': python('requests'),
  "requests.post(url, data='')": python('requests-empty'),
  'requests.post(url, json=None)': python('requests-json'),
}

/** Ends well if the libraries are there. */
export const pythonProbe = [interpreter, '-c', 'import requests']
