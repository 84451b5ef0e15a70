import { type Forms, fileBeside, runProgram } from './library.ts'

const php = (form: string) => (url: string, token: string) =>
  runProgram('php', [fileBeside('post.php'), form, url, token])

export const phpForms: Forms = {
  'PHP curl with CURLOPT_POST': php('curl'),
  "PHP curl with CURLOPT_POSTFIELDS ''": php('curl-empty'),
  'PHP curl with CURLOPT_POSTFIELDS []': php('curl-array'),
}

export const guzzleForms: Forms = {
  'Guzzle post($url)': php('guzzle'),
  "Guzzle post($url, ['form_params' => []])": php('guzzle-form'),
}

/** Ends well if the library is there. */
export const guzzleProbe = ['php', '-r', 'require "GuzzleHttp/autoload.php";']
export const phpCurlProbe = ['php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);']
